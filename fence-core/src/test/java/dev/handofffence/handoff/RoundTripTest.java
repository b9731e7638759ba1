package dev.handofffence.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.CancellationToken;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.PermittedWork.Row;
import dev.handofffence.fixture.WireTap;
import dev.handofffence.internal.handoff.Endpoint;
import java.sql.Connection;
import java.sql.DriverManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the fence costs, counted on the wire. */
class RoundTripTest extends HandoffScene {

  private WireTap tap;

  @BeforeEach
  void tapTheWire() throws Exception {
    Endpoint server = Endpoint.of(database.jdbcUrl()).iterator().next();
    tap = WireTap.before(server.host(), server.port());
  }

  @AfterEach
  void removeTap() throws Exception {
    tap.close();
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
  void success_takesThreeRoundTripsAlsoInTheFirstCall(String option) throws Exception {
    try (CallerSession session = tapped(option)) {
      for (int call = 0; call < 10; call++) {
        assertThat(roundTrips(session, true)).as("call %s", call).isEqualTo(3);
        session.commit();
      }
    }
  }

  @Test
  void denial_takesThreeRoundTrips() throws Exception {
    try (CallerSession session = tapped("")) {
      assertThat(roundTrips(session, false)).isEqualTo(3);
    }
  }

  @Test
  void refusalBeforeTheCallback_takesTwoRoundTrips() throws Exception {
    work.update(Row.WORK, "attempt = 0");
    try (CallerSession session = tapped("")) {
      assertThat(roundTrips(session, true)).isEqualTo(2);
    }
  }

  @Test
  void statements_stayPreparedOnTheServerAfterWarmUp() throws Exception {
    try (CallerSession session = tapped("")) {
      for (int call = 0; call < 6; call++) {
        roundTrips(session, true);
        session.commit();
      }
      session.execute("SELECT 1");
      tap.takeParses();
      work.run(
          fence ->
              fence.execute(session.connection(), (tx, token) -> true, CancellationToken.none()));

      assertThat(tap.takeParses()).isZero();
    }
  }

  /** The transaction is begun before, because the driver's BEGIN is the caller's. */
  private int roundTrips(CallerSession session, boolean answer) throws Exception {
    session.execute("SELECT 1");
    tap.takeRoundTrips();
    work.run(
        fence ->
            fence.execute(session.connection(), (tx, token) -> answer, CancellationToken.none()));
    return tap.takeRoundTrips();
  }

  private CallerSession tapped(String option) throws Exception {
    String url =
        "jdbc:postgresql://127.0.0.1:"
            + tap.port()
            + "/"
            + database.name()
            + "?sslmode=disable&gssEncMode=disable&"
            + option;
    Connection connection =
        DriverManager.getConnection(url, DurableDatabase.RUNTIME, DurableDatabase.PASSWORD);
    connection.setAutoCommit(false);
    return CallerSession.of(connection);
  }
}
