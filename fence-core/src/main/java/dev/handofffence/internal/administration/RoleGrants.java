package dev.handofffence.internal.administration;

import dev.handofffence.internal.sql.GrantScript;
import dev.handofffence.runtime.RoleNames;
import javax.sql.DataSource;

/** Runs the grant script. */
public final class RoleGrants {

  private RoleGrants() {}

  public static void grant(DataSource owner, RoleNames roles) {
    OwnerConnection.with(
        owner,
        "Granting the roles (nothing was changed)",
        connection -> {
          GrantScript.run(
              connection,
              roles.owner(),
              roles.dispatcher(),
              roles.runtime(),
              roles.operator(),
              roles.retention().orElse(""));
          return roles;
        });
  }
}
