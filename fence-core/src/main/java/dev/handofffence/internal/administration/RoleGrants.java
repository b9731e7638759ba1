package dev.handofffence.internal.administration;

import dev.handofffence.internal.sql.GrantScript;
import dev.handofffence.internal.sql.SqlFailure;
import dev.handofffence.runtime.RoleNames;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Runs the grant script. */
public final class RoleGrants {

  private static final String OPERATION = "Granting the roles (nothing was changed)";

  private RoleGrants() {}

  public static void grant(DataSource owner, RoleNames roles) {
    OwnerConnection.with(
        owner,
        OPERATION,
        connection -> {
          run(connection, roles);
          return roles;
        });
  }

  /** Most refusals are the script's own, and say which role is wrong. */
  private static void run(Connection connection, RoleNames roles) throws SQLException {
    try {
      GrantScript.run(
          connection,
          roles.owner(),
          roles.dispatcher(),
          roles.runtime(),
          roles.operator(),
          roles.retention().orElse(""));
    } catch (SQLException e) {
      if (OwnerConnection.isOfAnotherThanTheOwner(e)) {
        throw e;
      }
      throw SqlFailure.ofScript(OPERATION, e);
    }
  }
}
