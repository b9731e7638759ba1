package dev.handofffence.internal.handoff;

import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Version of the JDBC driver that is in use, which may not be the one compiled against. */
record DriverVersion(int major, int minor, int patch) {

  private static final Pattern FORM = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+).*");

  private static final Comparator<DriverVersion> ORDER =
      Comparator.comparingInt(DriverVersion::major)
          .thenComparingInt(DriverVersion::minor)
          .thenComparingInt(DriverVersion::patch);

  /** Reads what the driver says of itself; an unreadable version counts as the oldest. */
  static DriverVersion of(DatabaseMetaData metaData) throws SQLException {
    Matcher matcher = FORM.matcher(metaData.getDriverVersion());
    return matcher.matches()
        ? new DriverVersion(number(matcher, 1), number(matcher, 2), number(matcher, 3))
        : new DriverVersion(0, 0, 0);
  }

  boolean isBefore(DriverVersion other) {
    return ORDER.compare(this, other) < 0;
  }

  private static int number(Matcher matcher, int group) {
    return Integer.parseInt(matcher.group(group));
  }
}
