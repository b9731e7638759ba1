package dev.handofffence.internal.administration;

import dev.handofffence.internal.sql.SqlFailure;
import dev.handofffence.internal.transaction.AutocommitConnection;
import dev.handofffence.internal.transaction.SqlFunction;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A connection of the owner role. One that is not is told so, and not to run the grants. */
final class OwnerConnection {

  private static final String INSUFFICIENT_PRIVILEGE = "42501";

  private OwnerConnection() {}

  static boolean isOfAnotherThanTheOwner(SQLException failure) {
    return INSUFFICIENT_PRIVILEGE.equals(failure.getSQLState());
  }

  static <T> T with(DataSource owner, String operation, SqlFunction<T> use) {
    return AutocommitConnection.with(
        owner,
        operation,
        connection -> {
          try {
            return use.apply(connection);
          } catch (SQLException e) {
            if (isOfAnotherThanTheOwner(e)) {
              throw SqlFailure.ofAnotherThanTheOwner(operation, e);
            }
            throw e;
          }
        });
  }
}
