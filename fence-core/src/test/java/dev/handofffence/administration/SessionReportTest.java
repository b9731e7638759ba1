package dev.handofffence.administration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.TestRole;
import dev.handofffence.runtime.SessionProblem;
import dev.handofffence.runtime.SessionReport;
import dev.handofffence.runtime.SessionReport.Setting;
import dev.handofffence.runtime.StoreAdministration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings are given to a role of the test, as a host would. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SessionReportTest {

  private final DurableDatabase database = DurableDatabase.create();

  @AfterAll
  void close() {
    database.close();
  }

  @Test
  void soundSettings_haveNoProblemAndTellTheirSource() {
    SessionReport report = reportWith("5s", "30s", "1min", "on");

    assertThat(report.problems()).isEmpty();
    assertThat(report.settings())
        .containsExactly(
            new Setting("idle_in_transaction_session_timeout", "60000", "user"),
            new Setting("lock_timeout", "5000", "user"),
            new Setting("statement_timeout", "30000", "user"),
            new Setting("synchronous_commit", "on", "user"));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 30s, 1min, on, NO_LOCK_TIMEOUT",
    "5s, 0, 1min, on, NO_STATEMENT_TIMEOUT",
    "5s, 30s, 0, on, NO_IDLE_IN_TRANSACTION_TIMEOUT",
    "30s, 30s, 1min, on, LOCK_TIMEOUT_NOT_BELOW_STATEMENT_TIMEOUT",
    "31s, 30s, 1min, on, LOCK_TIMEOUT_NOT_BELOW_STATEMENT_TIMEOUT",
    "5s, 30s, 1min, off, COMMITS_ARE_NOT_DURABLE"
  })
  void unsoundSetting_isReported(
      String lock, String statement, String idle, String commit, SessionProblem problem) {
    assertThat(reportWith(lock, statement, idle, commit).problems()).containsExactly(problem);
  }

  @Test
  void serverDefaults_areReportedTogether() {
    assertThat(reportWith("0", "0", "0", "on").problems())
        .containsExactly(
            SessionProblem.NO_LOCK_TIMEOUT,
            SessionProblem.NO_STATEMENT_TIMEOUT,
            SessionProblem.NO_IDLE_IN_TRANSACTION_TIMEOUT);
  }

  private SessionReport reportWith(String lock, String statement, String idle, String commit) {
    try (TestRole role = TestRole.create(database, "")) {
      set(role, "lock_timeout", lock);
      set(role, "statement_timeout", statement);
      set(role, "idle_in_transaction_session_timeout", idle);
      set(role, "synchronous_commit", commit);
      return StoreAdministration.checkSessions(role.connections());
    }
  }

  private void set(TestRole role, String setting, String value) {
    database.execute("ALTER ROLE %s SET %s = '%s'".formatted(role.name(), setting, value));
  }
}
