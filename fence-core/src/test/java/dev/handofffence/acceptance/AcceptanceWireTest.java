package dev.handofffence.acceptance;

import static dev.handofffence.acceptance.Requests.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.internal.work.Acceptance;
import dev.handofffence.internal.work.AcceptanceLimits;
import dev.handofffence.testing.WireProxy;
import java.sql.Connection;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an acceptance costs, counted on the wire. */
class AcceptanceWireTest {

  private final AcceptanceFixture fixture = new AcceptanceFixture();
  private final DurableDatabase database = fixture.database();
  private final WireProxy proxy = database.proxy();

  @BeforeEach
  void useTheScopeFirst() {
    fixture.acceptance().accept(request("c0", "k0", "first use")).orElseThrow();
  }

  @AfterEach
  void close() throws Exception {
    proxy.close();
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "prepareThreshold=5",
        "prepareThreshold=0",
        "prepareThreshold=1",
        "autosave=always",
        "autosave=conservative",
        "defaultRowFetchSize=1",
        "preferQueryMode=extendedForPrepared",
        "binaryTransfer=false"
      })
  void acceptance_isOneRoundTripFromTheFirstCallOn(String option) throws Exception {
    try (Connection caller = runtime(option).getConnection()) {
      caller.setAutoCommit(false);
      for (int call = 0; call < 10; call++) {
        begin(caller);
        String id = "wire-" + call;
        assertThat(
                tripsOf(
                    () ->
                        fixture
                            .acceptance()
                            .accept(caller, request(id, id, "payload"))
                            .orElseThrow()))
            .as("call %s", call)
            .isEqualTo(1);
        caller.commit();
      }
    }
  }

  @Test
  void batchOfTwentyScopes_isOneRoundTripAndTwoForTheirFirstUse() throws Exception {
    try (Connection caller = runtime().getConnection()) {
      caller.setAutoCommit(false);
      begin(caller);
      assertThat(
              tripsOf(() -> fixture.acceptance().acceptAll(caller, Requests.inScopes(20, "first"))))
          .as("first use")
          .isEqualTo(2);
      for (int call = 0; call < 8; call++) {
        String command = "again" + call;
        assertThat(
                tripsOf(
                    () -> fixture.acceptance().acceptAll(caller, Requests.inScopes(20, command))))
            .as("call %s", call)
            .isEqualTo(1);
      }
      caller.commit();
    }
  }

  @Test
  void ownTransaction_isOneRoundTripWithItsCommit() throws Exception {
    DataSource runtime = runtime();
    Acceptance acceptance = new Acceptance(database.store(), runtime, AcceptanceLimits.standard());
    long toConnect = tripsOf(() -> runtime.getConnection().close());

    assertThat(tripsOf(() -> acceptance.accept(request("c1", "k1", "one")).orElseThrow()))
        .isEqualTo(toConnect + 1);
    assertThat(database.ask("SELECT count(*) FROM durable.work")).isEqualTo("2");
  }

  @Test
  void statements_stayPreparedOnTheServerAfterWarmUp() throws Exception {
    try (Connection caller = runtime().getConnection()) {
      caller.setAutoCommit(false);
      for (int call = 0; call < 7; call++) {
        begin(caller);
        fixture.acceptance().accept(caller, request("c" + call, "k" + call, "payload"));
        caller.commit();
      }
      begin(caller);
      assertThat(
              proxy
                  .count(
                      () ->
                          fixture
                              .acceptance()
                              .accept(caller, request("cx", "kx", "payload"))
                              .orElseThrow())
                  .parses())
          .isZero();
      caller.rollback();
    }
  }

  /** The driver's BEGIN is the caller's. */
  private static void begin(Connection caller) throws Exception {
    try (var statement = caller.createStatement()) {
      statement.execute("SELECT 1");
    }
  }

  private long tripsOf(WireProxy.Exchange<Exception> step) throws Exception {
    return proxy.count(step).roundTrips();
  }

  private DataSource runtime(String... options) {
    return database.through(proxy, DurableDatabase.RUNTIME, options);
  }
}
