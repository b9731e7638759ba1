package dev.handofffence.internal.presence;

import dev.handofffence.internal.sql.AdministrationTrips;
import dev.handofffence.internal.transaction.StoreConnection;
import java.sql.SQLException;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns once, by a fixed text, when a worker's role could step around row-level security. It works
 * all the same, so nobody would notice. Belongs to one thread.
 */
final class RoleWarning {

  private static final Logger LOG = LoggerFactory.getLogger(RoleWarning.class);

  private static final Set<String> STEPS_AROUND = Set.of("SUPERUSER", "BYPASSRLS");

  private boolean hasLooked;

  void lookOnce(StoreConnection connection) throws SQLException {
    if (!hasLooked) {
      Set<String> powers = connection.inOneTrip(AdministrationTrips::powers);
      hasLooked = true;
      powers.retainAll(STEPS_AROUND);
      if (!powers.isEmpty()) {
        LOG.warn(
            "The runtime's role has {}: row-level security does not isolate scopes from it. Log in"
                + " as a role that grantRoles was given; StoreAdministration.checkRole says more.",
            String.join(", ", powers));
      }
    }
  }
}
