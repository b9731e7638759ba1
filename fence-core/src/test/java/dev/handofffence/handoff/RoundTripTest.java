package dev.handofffence.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.CancellationToken;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.PermittedWork.Row;
import dev.handofffence.testing.WireCount;
import dev.handofffence.testing.WireProxy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the fence costs, counted on the wire. */
class RoundTripTest extends HandoffScene {

  private WireProxy proxy;

  @BeforeAll
  void startProxy() {
    proxy = database.proxy();
  }

  @AfterAll
  void closeProxy() {
    proxy.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "prepareThreshold=5",
        "prepareThreshold=1",
        "prepareThreshold=0",
        "autosave=never",
        "preferQueryMode=extended",
        "preferQueryMode=extendedForPrepared",
        "defaultRowFetchSize=1",
        "binaryTransfer=false"
      })
  void success_takesThreeRoundTripsFromTheFirstCallOn(String option) throws Exception {
    assertThreeRoundTrips(option);
  }

  /**
   * Drivers before 42.7.10 are refused with it; the rail pgjdbc, which has one, leaves this out.
   */
  @Tag("autosave")
  @ParameterizedTest
  @ValueSource(strings = {"autosave=always", "autosave=conservative"})
  void success_takesThreeRoundTripsUnderAutosave(String option) throws Exception {
    assertThreeRoundTrips(option);
  }

  private void assertThreeRoundTrips(String option) throws Exception {
    try (CallerSession session = session(option)) {
      for (int call = 0; call < 10; call++) {
        assertThat(call(session, true).roundTrips()).as("call %s", call).isEqualTo(3);
        session.commit();
      }
    }
  }

  @Test
  void denial_takesThreeRoundTrips() throws Exception {
    try (CallerSession session = session()) {
      assertThat(call(session, false).roundTrips()).isEqualTo(3);
    }
  }

  @Test
  void refusalBeforeTheCallback_takesTwoRoundTrips() throws Exception {
    work.update(Row.WORK, "attempt = 0");
    try (CallerSession session = session()) {
      assertThat(call(session, true).roundTrips()).isEqualTo(2);
    }
  }

  @Test
  void statements_stayPreparedOnTheServerAfterWarmUp() throws Exception {
    try (CallerSession session = session()) {
      for (int call = 0; call < 6; call++) {
        call(session, true);
        session.commit();
      }
      assertThat(call(session, true).parses()).isZero();
    }
  }

  /** The transaction is begun before: what the driver sends for that is the caller's. */
  private WireCount call(CallerSession session, boolean answer) throws Exception {
    session.execute("SELECT 1");
    return proxy.count(
        () -> work.handOff(session.connection(), (tx, token) -> answer, CancellationToken.none()));
  }

  private CallerSession session(String... options) throws Exception {
    return CallerSession.open(database.through(proxy, DurableDatabase.RUNTIME, options));
  }
}
