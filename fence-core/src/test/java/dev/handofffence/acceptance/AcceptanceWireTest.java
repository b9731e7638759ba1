package dev.handofffence.acceptance;

import static dev.handofffence.acceptance.Requests.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.WireTap;
import dev.handofffence.internal.handoff.Endpoint;
import dev.handofffence.internal.work.Acceptance;
import dev.handofffence.internal.work.AcceptanceLimits;
import java.sql.Connection;
import java.sql.DriverManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What an acceptance costs, counted on the wire. */
class AcceptanceWireTest {

  private final AcceptanceFixture fixture = new AcceptanceFixture();
  private final DurableDatabase database = fixture.database();
  private WireTap tap;

  @BeforeEach
  void tapTheWire() throws Exception {
    Endpoint server = Endpoint.of(database.jdbcUrl()).iterator().next();
    tap = WireTap.before(server.host(), server.port());
    fixture.acceptance().accept(request("c0", "k0", "first use")).orElseThrow();
  }

  @AfterEach
  void close() throws Exception {
    tap.close();
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "prepareThreshold=0",
        "prepareThreshold=1",
        "autosave=always",
        "autosave=conservative",
        "defaultRowFetchSize=1",
        "preferQueryMode=extendedForPrepared",
        "binaryTransfer=false"
      })
  void acceptance_isOneRoundTripFromTheFirstCallOn(String option) throws Exception {
    try (Connection caller = DriverManager.getConnection(url(option), user(), password())) {
      caller.setAutoCommit(false);
      for (int call = 0; call < 10; call++) {
        begin(caller);
        tap.takeRoundTrips();
        fixture
            .acceptance()
            .accept(caller, request("wire-" + call, "wire-" + call, "payload"))
            .orElseThrow();
        assertThat(tap.takeRoundTrips()).as("call %s", call).isEqualTo(1);
        caller.commit();
      }
    }
  }

  @Test
  void batchOfTwentyScopes_isOneRoundTripAndTwoForTheirFirstUse() throws Exception {
    try (Connection caller = DriverManager.getConnection(url(""), user(), password())) {
      caller.setAutoCommit(false);
      begin(caller);
      tap.takeRoundTrips();
      fixture.acceptance().acceptAll(caller, Requests.inScopes(20, "first"));
      assertThat(tap.takeRoundTrips()).as("first use").isEqualTo(2);
      for (int call = 0; call < 8; call++) {
        fixture.acceptance().acceptAll(caller, Requests.inScopes(20, "again" + call));
        assertThat(tap.takeRoundTrips()).as("call %s", call).isEqualTo(1);
      }
      caller.commit();
    }
  }

  @Test
  void ownTransaction_isOneRoundTripWithItsCommit() throws Exception {
    PGSimpleDataSource runtime = new PGSimpleDataSource();
    runtime.setUrl(url(""));
    runtime.setUser(user());
    runtime.setPassword(password());
    Acceptance acceptance = new Acceptance(database.store(), runtime, AcceptanceLimits.standard());
    try (Connection connection = runtime.getConnection()) {
      assertThat(connection.isValid(5)).isTrue();
    }
    tap.takeRoundTrips();
    int toConnect = tripsOf(() -> runtime.getConnection().close());

    assertThat(tripsOf(() -> acceptance.accept(request("c1", "k1", "one")).orElseThrow()))
        .isEqualTo(toConnect + 1);
    assertThat(database.ask("SELECT count(*) FROM durable.work")).isEqualTo("2");
  }

  @Test
  void statements_stayPreparedOnTheServerAfterWarmUp() throws Exception {
    try (Connection caller = DriverManager.getConnection(url(""), user(), password())) {
      caller.setAutoCommit(false);
      for (int call = 0; call < 7; call++) {
        begin(caller);
        fixture.acceptance().accept(caller, request("c" + call, "k" + call, "payload"));
        caller.commit();
      }
      begin(caller);
      tap.takeParses();
      fixture.acceptance().accept(caller, request("cx", "kx", "payload")).orElseThrow();
      assertThat(tap.takeParses()).isZero();
      caller.rollback();
    }
  }

  /** The driver's BEGIN is the caller's. */
  private static void begin(Connection caller) throws Exception {
    try (var statement = caller.createStatement()) {
      statement.execute("SELECT 1");
    }
  }

  private int tripsOf(Step step) throws Exception {
    tap.takeRoundTrips();
    step.run();
    return tap.takeRoundTrips();
  }

  private String url(String option) {
    return "jdbc:postgresql://127.0.0.1:%d/%s?sslmode=disable&gssEncMode=disable&%s"
        .formatted(tap.port(), database.name(), option);
  }

  private static String user() {
    return DurableDatabase.RUNTIME;
  }

  private static String password() {
    return DurableDatabase.PASSWORD;
  }

  @FunctionalInterface
  private interface Step {
    void run() throws Exception;
  }
}
