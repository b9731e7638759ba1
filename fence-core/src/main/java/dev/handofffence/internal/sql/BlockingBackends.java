package dev.handofffence.internal.sql;

import java.sql.SQLException;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Reads the process ids out of the detail that {@code durable.lock_exclusively} raises: asked
 * afterwards, the server might name others.
 */
public final class BlockingBackends {

  private static final Pattern PID = Pattern.compile("\\d+");

  private BlockingBackends() {}

  /** Returns the ids; none when the failure names none. */
  public static List<Integer> namedIn(SQLException failure) {
    ServerErrorMessage message =
        failure instanceof PSQLException e ? e.getServerErrorMessage() : null;
    String detail = message == null ? null : message.getDetail();
    if (detail == null) {
      return List.of();
    }
    return PID.matcher(detail).results().map(MatchResult::group).map(Integer::valueOf).toList();
  }
}
