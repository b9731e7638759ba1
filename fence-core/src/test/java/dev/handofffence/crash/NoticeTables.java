package dev.handofffence.crash;

import dev.handofffence.ActivityId;
import dev.handofffence.WorkId;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkEnvelope;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * The application's ledger, and the provider: a table of everything it was told, written on a
 * connection of its own that no rollback reaches.
 */
public final class NoticeTables {

  private NoticeTables() {}

  /** Creates the tables and grants them to the runtime role. */
  public static void create(DurableDatabase database) {
    database.execute(
        """
        CREATE SCHEMA app;
        CREATE TABLE app.ledger
        (
            operation   text    NOT NULL PRIMARY KEY,
            activity_id uuid    NOT NULL,
            attempt     integer NOT NULL
        );
        CREATE TABLE app.effect
        (
            effect      bigint      NOT NULL GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            work_id     uuid        NOT NULL,
            activity_id uuid        NOT NULL,
            attempt     integer     NOT NULL,
            sent_at     timestamptz NOT NULL DEFAULT clock_timestamp()
        );
        GRANT USAGE ON SCHEMA app TO %1$s;
        GRANT SELECT, INSERT, UPDATE ON app.ledger, app.effect TO %1$s
        """
            .formatted(DurableDatabase.RUNTIME));
  }

  /**
   * The conditional ledger write. An earlier attempt may have written the row and then crashed:
   * where repeating is safe, this attempt takes it over; otherwise it is not prepared again.
   *
   * @return whether it wrote
   */
  public static boolean prepare(
      Connection transaction, WorkEnvelope<String> work, ProviderSafety safety)
      throws SQLException {
    String conflict =
        isRepeatable(safety)
            ? "(operation) DO UPDATE SET attempt = excluded.attempt"
                + " WHERE l.activity_id = excluded.activity_id AND l.attempt < excluded.attempt"
            : "DO NOTHING";
    return update(
            transaction,
            "INSERT INTO app.ledger AS l (operation, activity_id, attempt)"
                + " VALUES ('%s', '%s', %d) ON CONFLICT %s"
                    .formatted(work.payload(), work.activityId(), work.attempt(), conflict))
        == 1;
  }

  /** Calls the provider. */
  public static void send(DataSource provider, WorkId work, ActivityId activity, int attempt)
      throws SQLException {
    try (Connection connection = provider.getConnection()) {
      update(
          connection,
          "INSERT INTO app.effect (work_id, activity_id, attempt) VALUES ('%s', '%s', %d)"
              .formatted(work, activity, attempt));
    }
  }

  /** Returns whether an effect whose outcome is unknown may simply be repeated. */
  public static boolean isRepeatable(ProviderSafety safety) {
    return safety == ProviderSafety.IDEMPOTENT || safety == ProviderSafety.PROVIDER_KEYED;
  }

  private static int update(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    }
  }
}
