package dev.handofffence.internal.administration;

import dev.handofffence.internal.sql.AdministrationTrips;
import dev.handofffence.internal.sql.HostSetting;
import dev.handofffence.internal.transaction.AutocommitConnection;
import dev.handofffence.runtime.SessionProblem;
import dev.handofffence.runtime.SessionReport;
import dev.handofffence.runtime.SessionReport.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** Reads the settings that bound locks, and judges them. */
public final class SessionInspection {

  private SessionInspection() {}

  public static SessionReport of(DataSource application) {
    List<HostSetting> settings =
        AutocommitConnection.with(
            application, "Reading the session's settings", AdministrationTrips::hostSettings);
    return new SessionReport(
        settings.stream().map(s -> new Setting(s.name(), s.value(), s.source())).toList(),
        problems(
            settings.stream().collect(Collectors.toMap(HostSetting::name, HostSetting::value))));
  }

  private static List<SessionProblem> problems(Map<String, String> values) {
    long lock = millis(values, "lock_timeout");
    long statement = millis(values, "statement_timeout");
    List<SessionProblem> problems = new ArrayList<>();
    if (lock == 0) {
      problems.add(SessionProblem.NO_LOCK_TIMEOUT);
    }
    if (statement == 0) {
      problems.add(SessionProblem.NO_STATEMENT_TIMEOUT);
    }
    if (lock > 0 && statement > 0 && lock >= statement) {
      problems.add(SessionProblem.LOCK_TIMEOUT_NOT_BELOW_STATEMENT_TIMEOUT);
    }
    if (millis(values, "idle_in_transaction_session_timeout") == 0) {
      problems.add(SessionProblem.NO_IDLE_IN_TRANSACTION_TIMEOUT);
    }
    if ("off".equals(values.get("synchronous_commit"))) {
      problems.add(SessionProblem.COMMITS_ARE_NOT_DURABLE);
    }
    return problems;
  }

  private static long millis(Map<String, String> values, String name) {
    return Long.parseLong(values.getOrDefault(name, "0"));
  }
}
