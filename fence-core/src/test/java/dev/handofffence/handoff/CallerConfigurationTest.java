package dev.handofffence.handoff;

import static dev.handofffence.fixture.ApplicationSchema.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.handofffence.CancellationToken;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.PermittedWork.Row;
import dev.handofffence.fixture.Rival;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.ExecuteListener;
import org.jooq.SQLDialect;
import org.jooq.Transaction;
import org.jooq.TransactionContext;
import org.jooq.TransactionProvider;
import org.jooq.conf.MappedSchema;
import org.jooq.conf.ParamType;
import org.jooq.conf.RenderMapping;
import org.jooq.conf.RenderNameCase;
import org.jooq.conf.Settings;
import org.jooq.conf.StatementType;
import org.jooq.conf.ThrowExceptions;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.impl.DataSourceConnectionProvider;
import org.jooq.impl.DefaultConfiguration;
import org.jooq.impl.DefaultConnectionProvider;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** The transactions that applications really have (protocol section 5). */
class CallerConfigurationTest extends HandoffScene {

  @Test
  void jooqTransaction_works() throws Exception {
    try (var connection = database.runtime().getConnection()) {
      DSLContext dsl = DSL.using(connection, SQLDialect.POSTGRES);
      assertPrepared("jooq", () -> dsl.transactionResult(tx -> hand(tx, "jooq")));
    }
  }

  @Test
  void defaultConnectionProvider_works() throws Exception {
    Configuration configuration =
        new DefaultConfiguration()
            .set(SQLDialect.POSTGRES)
            .set(new DefaultConnectionProvider(caller.connection()));
    assertPrepared(
        "provider",
        () -> {
          HandoffResult result = hand(configuration, "provider");
          caller.commit();
          return result;
        });
  }

  @Test
  void pooledConnection_works() throws Exception {
    try (HikariDataSource pool = pool()) {
      DSLContext dsl = DSL.using(pool, SQLDialect.POSTGRES);
      assertPrepared("pool", () -> dsl.transactionResult(tx -> hand(tx, "pool")));
    }
  }

  @Test
  void pooledJdbcConnection_works() throws Exception {
    try (HikariDataSource pool = pool();
        CallerSession pooled = CallerSession.open(pool)) {
      assertPrepared(
          "pooled jdbc",
          () -> {
            HandoffResult result =
                work.handOff(
                        pooled.connection(),
                        (tx, token) -> record(tx, "pooled jdbc"),
                        CancellationToken.none())
                    .orElseThrow();
            pooled.commit();
            return result;
          });
    }
  }

  @Test
  void springTransaction_works() throws Exception {
    try (HikariDataSource pool = pool()) {
      TransactionTemplate spring = new TransactionTemplate(new DataSourceTransactionManager(pool));
      DSLContext dsl =
          DSL.using(
              new DataSourceConnectionProvider(new TransactionAwareDataSourceProxy(pool)),
              SQLDialect.POSTGRES);
      assertPrepared(
          "spring",
          () ->
              spring.execute(
                  status -> {
                    try {
                      return hand(dsl.configuration(), "spring");
                    } catch (Exception e) {
                      throw new IllegalStateException(e);
                    }
                  }));
    }
  }

  /** jOOQ's transactions are Spring's then, and nested ones Spring's savepoints. */
  @Test
  void jooqTransactionsOfSpring_work() throws Exception {
    try (HikariDataSource pool = pool()) {
      Configuration configuration =
          new DefaultConfiguration()
              .set(SQLDialect.POSTGRES)
              .set(new DataSourceConnectionProvider(new TransactionAwareDataSourceProxy(pool)))
              .set(new SpringTransactions(new DataSourceTransactionManager(pool)));
      assertPrepared(
          "spring jooq",
          () ->
              DSL.using(configuration)
                  .transactionResult(
                      outer -> outer.dsl().transactionResult(tx -> hand(tx, "spring jooq"))));
    }
  }

  @Test
  void callersListeners_seeNothingOfTheFence() throws Exception {
    List<String> seen = new ArrayList<>();
    try (var connection = database.runtime().getConnection()) {
      Configuration configuration =
          new DefaultConfiguration()
              .set(SQLDialect.POSTGRES)
              .set(new DefaultConnectionProvider(connection))
              .set(ExecuteListener.onExecuteStart(context -> seen.add(context.sql())));
      assertPrepared(
          "listener", () -> DSL.using(configuration).transactionResult(tx -> hand(tx, "listener")));
    }
    assertThat(seen).singleElement().asString().contains("app.ledger");
  }

  /** The caller's own statements fail silently; the fence's never do. */
  @Test
  void settingThatSwallowsErrors_swallowsNoneOfTheFence() throws Exception {
    Settings silent = new Settings().withThrowExceptions(ThrowExceptions.THROW_NONE);
    try (var connection = database.runtime().getConnection();
        Rival rival = Rival.open(database)) {
      rival.hold(work, Set.of(Row.WORK));
      DSLContext dsl = DSL.using(connection, SQLDialect.POSTGRES, silent);
      dsl.execute("SET lock_timeout = '5ms'");
      assertThatThrownBy(() -> dsl.transactionResult(tx -> hand(tx, "silent")))
          .isInstanceOfSatisfying(
              DataAccessException.class, e -> assertThat(e.sqlState()).isEqualTo("55P03"));
    }
  }

  @Test
  void hostileSettings_changeNothing() throws Exception {
    Settings hostile =
        new Settings()
            .withStatementType(StatementType.STATIC_STATEMENT)
            .withThrowExceptions(ThrowExceptions.THROW_NONE)
            .withQueryTimeout(1)
            .withFetchSize(1)
            .withParamType(ParamType.INLINED)
            .withRenderNameCase(RenderNameCase.UPPER)
            .withRenderSchema(false)
            .withRenderMapping(
                new RenderMapping()
                    .withSchemata(new MappedSchema().withInput("durable").withOutput("nowhere")));
    try (var connection = database.runtime().getConnection()) {
      DSLContext dsl = DSL.using(connection, SQLDialect.DEFAULT, hostile);
      assertPrepared("hostile", () -> dsl.transactionResult(tx -> hand(tx, "hostile")));
    }
  }

  @Test
  void callersOwnSavepoint_undoesAPreparedHandoff() throws Exception {
    var mine = caller.connection().setSavepoint("mine");
    assertThat(hand((tx, token) -> record(tx, "undone")).orElseThrow().handoffPrepared()).isTrue();
    caller.connection().rollback(mine);
    caller.commit();

    assertThat(application.isRecorded("undone")).isFalse();
  }

  /** Lets Spring begin, nest and end what jOOQ calls a transaction, as its manual shows. */
  private record SpringTransactions(DataSourceTransactionManager manager)
      implements TransactionProvider {

    private record Begun(TransactionStatus status) implements Transaction {}

    @Override
    public void begin(TransactionContext context) {
      context.transaction(
          new Begun(
              manager.getTransaction(
                  new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_NESTED))));
    }

    @Override
    public void commit(TransactionContext context) {
      manager.commit(status(context));
    }

    @Override
    public void rollback(TransactionContext context) {
      manager.rollback(status(context));
    }

    private static TransactionStatus status(TransactionContext context) {
      return ((Begun) Objects.requireNonNull(context.transaction())).status();
    }
  }

  @FunctionalInterface
  private interface Handoff {
    HandoffResult run() throws Exception;
  }

  private void assertPrepared(String operation, Handoff handoff) throws Exception {
    assertThat(handoff.run().handoffPrepared()).isTrue();
    assertThat(application.isRecorded(operation)).isTrue();
    assertNothingLocked();
  }

  private HandoffResult hand(Configuration transaction, String operation) throws Exception {
    return work.run(
        fence ->
            fence
                .execute(
                    transaction, (tx, token) -> insert(tx, operation), CancellationToken.none())
                .orElseThrow());
  }

  private static boolean insert(Configuration transaction, String operation) {
    return transaction
            .dsl()
            .execute("INSERT INTO app.ledger VALUES ('" + operation + "') ON CONFLICT DO NOTHING")
        == 1;
  }

  private HikariDataSource pool() {
    HikariConfig config = new HikariConfig();
    config.setDataSource(database.runtime());
    config.setMaximumPoolSize(2);
    return new HikariDataSource(config);
  }
}
