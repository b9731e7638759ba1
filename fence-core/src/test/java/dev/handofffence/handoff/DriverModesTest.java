package dev.handofffence.handoff;

import static dev.handofffence.fixture.ApplicationSchema.mark;
import static dev.handofffence.fixture.ApplicationSchema.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.CancellationToken;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.PermittedWork;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The driver prepares statements after a number of executions, sets savepoints of its own, and has
 * several ways to send queries: in each of these modes every call ends as it should. Modes in which
 * that is impossible are refused ({@link UsageErrorTest}).
 */
class DriverModesTest extends HandoffScene {

  /** More than the driver needs to prepare a statement on the server. */
  private static final int WARM = 7;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "prepareThreshold=5",
        "prepareThreshold=1",
        "prepareThreshold=0",
        "autosave=never",
        "preferQueryMode=extended",
        "preferQueryMode=extendedForPrepared",
        "preparedStatementCacheQueries=0",
        "defaultRowFetchSize=1",
        "binaryTransfer=false"
      })
  void everyEnding_isTheSameInEveryMode(String options) throws Exception {
    assertEveryEnding(options);
  }

  /**
   * Drivers before 42.7.10 are refused with it; the rail pgjdbc, which has one, leaves this out.
   */
  @Tag("autosave")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "autosave=always",
        "autosave=conservative",
        "autosave=always prepareThreshold=1",
        "autosave=always cleanupSavepoints=true"
      })
  void everyEnding_isTheSameUnderAutosave(String options) throws Exception {
    assertEveryEnding(options);
  }

  private void assertEveryEnding(String options) throws Exception {
    try (CallerSession session = CallerSession.open(database.runtimeWith(options.split(" ")))) {
      session.execute("SET lock_timeout = '3s'");
      session.commit();
      assertEveryEnding(session, options + " cold ");
      for (int call = 0; call < WARM; call++) {
        work.handOff(session.connection(), (tx, token) -> true, CancellationToken.none());
        session.commit();
      }
      assertEveryEnding(session, options + " warm ");
    }
  }

  /** The driver has undone the failed statement: nothing aborts, and nothing is lost at commit. */
  @Tag("autosave")
  @Test
  void autosaveAlways_makesASwallowedErrorHarmless() throws Exception {
    try (CallerSession session = CallerSession.open(database.runtimeWith("autosave=always"))) {
      work.handOff(
          session.connection(),
          (tx, token) -> {
            assertThatThrownBy(() -> session.execute("SELECT 1/0"))
                .isInstanceOf(SQLException.class);
            return record(tx, "harmless");
          },
          CancellationToken.none());
      session.commit();
    }
    assertThat(application.isRecorded("harmless")).isTrue();
  }

  private void assertEveryEnding(CallerSession session, String prefix) throws Exception {
    for (Ending ending : Ending.values()) {
      if (ending != Ending.SWALLOWED_AN_ERROR || !prefix.contains("autosave=always")) {
        assertEnds(session, ending, prefix + ending);
      }
    }
  }

  private void assertEnds(CallerSession session, Ending ending, String operation) throws Exception {
    mark(session.connection(), operation);
    ending.reach(database, PermittedWork.create(database), session.connection(), operation);
    assertThat(session.scope()).as(operation).isEmpty();
    session.commit();
    assertThat(application.isMarked(operation)).as(operation).isTrue();
    assertThat(application.isRecorded(operation)).as(operation).isEqualTo(ending.keepsWrites());
  }
}
