package dev.handofffence.runtime;

import dev.handofffence.DurableException;
import dev.handofffence.OperationResult;
import dev.handofffence.StoreIdentity;
import dev.handofffence.internal.administration.EpochAdministration;
import dev.handofffence.internal.administration.RoleGrants;
import dev.handofffence.internal.administration.RoleInspection;
import dev.handofffence.internal.administration.SchemaInspection;
import dev.handofffence.internal.administration.SessionInspection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What a deployer does to a store: look at it, grant its roles, initialise and rotate its epoch,
 * and check the credentials of its services. Opens a connection for each call. Thread-safe.
 *
 * <p>Migrations are applied with Flyway from {@link #MIGRATIONS}, by the owner role. An owner that
 * cannot log in is assumed by a connection option: {@code
 * jdbc:postgresql://host/db?options=-c%20role=durable_owner}, with a login that is a member of it.
 *
 * <p>Every method throws {@link DurableException} DUR103 when the database cannot be reached,
 * refuses the role, is older than PostgreSQL 16 or loses the connection, and {@link
 * org.jooq.exception.DataAccessException} for any other error of the database.
 */
public final class StoreAdministration {

  /** Where Flyway finds the migrations. */
  public static final String MIGRATIONS = "classpath:durable/migration";

  /** The schema that they create. */
  public static final String SCHEMA = "durable";

  /** Flyway's history of them, inside the schema: it shares nothing with an application's own. */
  public static final String MIGRATIONS_TABLE = "durable_schema_history";

  private final DataSource owner;

  private StoreAdministration(DataSource owner) {
    this.owner = owner;
  }

  /**
   * {@return the administration of the store behind a data source}
   *
   * @param owner connections that act as the owner role
   */
  public static StoreAdministration of(DataSource owner) {
    return new StoreAdministration(Objects.requireNonNull(owner, "owner"));
  }

  /** {@return what the store is, and whether this version of the library can use it} */
  public StoreStatus status() {
    return SchemaInspection.of(owner);
  }

  /**
   * {@return the identity that the first migration gave the database}
   *
   * @throws DurableException DUR400 to DUR403 when the schema cannot be used
   */
  public UUID storeId() {
    StoreStatus status = status();
    status
        .schema()
        .problem()
        .ifPresent(
            problem -> {
              throw new DurableException(problem, observed(status.findings()));
            });
    return status.storeId().orElseThrow();
  }

  private static @Nullable String observed(List<String> findings) {
    return findings.isEmpty() ? null : String.join("; ", findings);
  }

  /**
   * Activates the first epoch of a store. Repeating it with the same epoch is harmless.
   *
   * @param change epoch, actor, reason and patience
   * @return what runtimes are configured with; DUR108 when another epoch is active, or a schema
   *     problem, with nothing changed
   * @throws DurableException DUR100 when the epoch was active before
   * @throws EpochLockedException when transactions are in the way until patience runs out
   */
  public OperationResult<StoreIdentity> initialiseEpoch(EpochChange change) {
    return EpochAdministration.initialise(owner, change);
  }

  /**
   * Replaces the active epoch, so that nothing of the old one commits any more. Waits for running
   * transactions in slices of 200 ms, between which it lets all others pass. Repeating it with the
   * same epoch is harmless.
   *
   * @param expected the epoch that must be active
   * @param change epoch, actor, reason and patience
   * @return what runtimes are configured with from now on; DUR108 when another epoch than the
   *     expected one is active, or a schema problem, with nothing changed
   * @throws DurableException DUR100 when the new epoch was active before
   * @throws EpochLockedException when transactions are in the way until patience runs out
   */
  public OperationResult<StoreIdentity> rotateEpoch(UUID expected, EpochChange change) {
    return EpochAdministration.rotate(owner, expected, change);
  }

  /**
   * Grants the service roles what they need and nothing else, by the script {@code
   * db/roles/grant-roles.sql}. Run it after every migration.
   *
   * @param roles their names
   * @throws org.jooq.exception.DataAccessException when a check of the script fails; nothing was
   *     changed, and the message says which check, with the names of the roles
   */
  public void grantRoles(RoleNames roles) {
    RoleGrants.grant(owner, roles);
  }

  /**
   * Looks whether a credential is really restricted to its service.
   *
   * @param credential connections of the service, as it will use them
   * @param role the service
   * @return how it differs; empty findings when it does not
   * @throws DurableException DUR400 when the database has no schema of the library
   */
  public static RoleReport checkRole(ServiceRole role, DataSource credential) {
    return RoleInspection.of(role, credential);
  }

  /**
   * Reads the settings of a session that bound its locks, with where they come from.
   *
   * @param application connections in which the fence is called
   * @return the settings, and what is unsound about them
   */
  public static SessionReport checkSessions(DataSource application) {
    return SessionInspection.of(application);
  }
}
