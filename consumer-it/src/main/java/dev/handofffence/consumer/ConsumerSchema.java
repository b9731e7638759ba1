package dev.handofffence.consumer;

import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/**
 * The application's own tables, beside those of the library: own schema, own folder, own history.
 */
public final class ConsumerSchema {

  private ConsumerSchema() {}

  /**
   * Returns Flyway for schema {@code consumer}.
   *
   * @param owner connections that act as the role that owns the tables
   * @param runtimeRole is granted what the application does at run time
   */
  public static Flyway flyway(DataSource owner, String runtimeRole) {
    return Flyway.configure()
        .dataSource(owner)
        .locations("classpath:consumer/migration", "classpath:consumer/grants")
        .failOnMissingLocations(true)
        .placeholders(Map.of("runtime_role", runtimeRole))
        .schemas("consumer")
        .load();
  }
}
