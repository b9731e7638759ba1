package dev.handofffence.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.handofffence.CancellationSource;
import dev.handofffence.CancellationToken;
import dev.handofffence.DurableException;
import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.StoreIdentity;
import dev.handofffence.fixture.ApplicationSchema;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.PermittedWork.Row;
import dev.handofffence.fixture.Rival;
import dev.handofffence.internal.handoff.Endpoint;
import dev.handofffence.internal.handoff.FenceSettings;
import dev.handofffence.internal.handoff.Invocation;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.AutoSave;

/**
 * What a fence cannot work with is refused by a fixed code, with no lock taken and the caller's
 * transaction as it was.
 */
class UsageErrorTest extends HandoffScene {

  @ParameterizedTest
  @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
  void otherIsolation_isRefusedBeforeAnyLock(int isolation) throws Exception {
    caller.connection().setTransactionIsolation(isolation);
    ApplicationSchema.mark(caller.connection(), "isolation " + isolation);
    assertRefusedBeforeAnyLock("READ COMMITTED");
    caller.commit();
    assertThat(application.isMarked("isolation " + isolation)).isTrue();
  }

  @Test
  void isolationSetBySql_isRefusedBeforeAnyLock() throws Exception {
    caller.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
    assertRefusedBeforeAnyLock("READ COMMITTED");
  }

  @Test
  void readOnlyTransaction_isRefusedBeforeAnyLock() throws Exception {
    caller.execute("SET TRANSACTION READ ONLY");
    assertRefusedBeforeAnyLock("read-only");
  }

  @Test
  void readOnlyConnection_isRefused() throws Exception {
    caller.connection().setReadOnly(true);
    assertRefusedBeforeAnyLock("read-only");
  }

  @Test
  void autocommit_isRefused() throws Exception {
    caller.connection().setAutoCommit(true);
    assertTransactionRequired(this::handWithoutReachingTheCallback, "autocommit");
    assertNothingLocked();
  }

  @Test
  void closedConnection_isRefused() throws Exception {
    caller.connection().close();
    assertTransactionRequired(this::handWithoutReachingTheCallback, "closed");
  }

  @Test
  void abortedTransaction_isRefused() throws Exception {
    assertThatThrownBy(() -> caller.execute("SELECT 1/0")).hasMessageContaining("division");
    assertTransactionRequired(this::handWithoutReachingTheCallback, "aborted");
  }

  @Test
  void configurationWithoutConnection_isRefused() throws Exception {
    DefaultConfiguration empty = new DefaultConfiguration();
    empty.set(SQLDialect.POSTGRES);
    assertTransactionRequired(
        () -> work.run(fence -> fence.execute(empty, (c, token) -> true, CancellationToken.none())),
        "no connection");
  }

  @Test
  void poolThatYieldsAnotherConnectionEachTime_isRefused() throws Exception {
    HikariConfig config = new HikariConfig();
    config.setDataSource(database.runtime());
    config.setMaximumPoolSize(2);
    config.setAutoCommit(false);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      assertTransactionRequired(
          () ->
              work.run(
                  fence ->
                      fence.execute(
                          DSL.using(pool, SQLDialect.POSTGRES).configuration(),
                          (c, token) -> true,
                          CancellationToken.none())),
          "another connection each time");
    }
    assertNothingLocked();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "preferQueryMode=simple",
        "preferQueryMode=extendedCacheEverything",
        "prepareThreshold=-1"
      })
  void unsupportedDriverMode_isRefused(String option) throws Exception {
    caller.close();
    caller = CallerSession.open(database.runtimeWith(option));
    assertTransactionRequired(this::handWithoutReachingTheCallback, option);
    assertStillUsable();
  }

  @ParameterizedTest
  @ValueSource(strings = {"42.7.9", "42.6.2", "41.9.99", "unreadable"})
  void autosaveWithADriverThatBreaksSavepoints_isRefused(String version) throws Exception {
    caller.connection().unwrap(PGConnection.class).setAutosave(AutoSave.ALWAYS);
    Connection old =
        answering(
            Connection.class,
            caller.connection(),
            "getMetaData",
            answering(
                DatabaseMetaData.class,
                caller.connection().getMetaData(),
                "getDriverVersion",
                version));

    assertTransactionRequired(
        () -> work.run(fence -> fence.execute(old, (tx, token) -> true, CancellationToken.none())),
        "autosave");
  }

  /** The same object, but for one answer. */
  private static <T> T answering(Class<T> type, T real, String method, Object answer) {
    Object proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, called, arguments) ->
                called.getName().equals(method) ? answer : called.invoke(real, arguments));
    return type.cast(proxy);
  }

  @Test
  void endpointThatIsNotConfigured_isRefusedAsAnException() throws Exception {
    FenceSettings elsewhere =
        FenceSettings.of(Set.of(new Endpoint("db.example.org", 5432, "orders")));
    Invocation invocation = work.invocation(database.store(), elsewhere);

    assertThatThrownBy(() -> runOn(invocation))
        .isInstanceOfSatisfying(
            DurableException.class, e -> assertThat(e.problem()).isEqualTo(Problem.STORE_MISMATCH));
    assertNothingLocked();
    assertStillUsable();
  }

  @Test
  void configuredEndpoint_isAccepted() throws Exception {
    FenceSettings here = FenceSettings.of(Endpoint.of(caller.connection().getMetaData().getURL()));

    assertThat(runOn(work.invocation(database.store(), here)).isSuccess()).isTrue();
  }

  @Test
  void anotherStore_isRefusedWithoutALock() throws Exception {
    StoreIdentity other = new StoreIdentity(UUID.randomUUID(), database.store().epoch());
    ApplicationSchema.mark(caller.connection(), "other store");

    assertThat(runOn(work.invocation(other, FenceSettings.anyEndpoint())))
        .isEqualTo(OperationResult.failure(Problem.STORE_MISMATCH));
    assertNothingLocked();
    caller.commit();
    assertThat(application.isMarked("other store")).isTrue();
  }

  @Test
  void cancelledToken_isSeenBeforeTheConnectionIsTouched() throws Exception {
    CancellationSource source = new CancellationSource();
    source.cancel();
    caller.connection().close();

    assertThatThrownBy(() -> hand((tx, token) -> true, source.token()))
        .isInstanceOf(CancellationException.class);
  }

  private OperationResult<HandoffResult> runOn(Invocation invocation) throws Exception {
    return invocation.run(
        () ->
            invocation
                .fence()
                .execute(caller.connection(), (tx, token) -> true, CancellationToken.none()));
  }

  /** A rival holds every lock: whoever asks for one waits, and fails with 55P03 in the end. */
  private void assertRefusedBeforeAnyLock(String observed) throws Exception {
    try (Rival rival = Rival.open(database)) {
      rival.holdEpoch();
      rival.holdScope(work);
      rival.hold(work, EnumSet.allOf(Row.class));
      assertTransactionRequired(this::handWithoutReachingTheCallback, observed);
    }
    assertNothingLocked();
    assertStillUsable();
  }

  private void assertStillUsable() throws Exception {
    assertThat(caller.ask("SELECT 'usable'")).isEqualTo("usable");
  }

  private static void assertTransactionRequired(ThrowingCallable call, String observed) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            DurableException.class,
            e -> assertThat(e.problem()).isEqualTo(Problem.TRANSACTION_REQUIRED))
        .hasMessageContaining(observed);
  }
}
