package dev.handofffence.consumer;

import java.util.Set;
import org.jooq.exception.DataAccessException;

/** Deadlocks and lock timeouts: the database is well, another try has a chance. */
final class LockConflict {

  private static final Set<String> SQL_STATES = Set.of("40P01", "55P03");

  private LockConflict() {}

  static boolean caused(Exception failure) {
    return failure instanceof DataAccessException database
        && SQL_STATES.contains(database.sqlState());
  }
}
