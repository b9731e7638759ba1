package dev.handofffence.internal.handoff;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/** An address at which a connection may have been opened, as its JDBC URL says. */
public record Endpoint(String host, int port, String database) {
  public Endpoint {
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(database, "database");
  }

  /**
   * Returns the endpoints that a PostgreSQL JDBC URL names: several when it lists hosts for
   * failover.
   *
   * @throws IllegalArgumentException when the driver cannot read the URL
   */
  public static Set<Endpoint> of(String jdbcUrl) {
    Properties parsed = Driver.parseURL(jdbcUrl, new Properties());
    if (parsed == null) {
      throw new IllegalArgumentException("Not a PostgreSQL JDBC URL");
    }
    List<String> hosts = values(PGProperty.PG_HOST, parsed);
    List<String> ports = values(PGProperty.PG_PORT, parsed);
    String database = String.valueOf(PGProperty.PG_DBNAME.getOrDefault(parsed));
    List<Endpoint> endpoints = new ArrayList<>();
    for (int i = 0; i < hosts.size(); i++) {
      endpoints.add(new Endpoint(hosts.get(i), Integer.parseInt(ports.get(i)), database));
    }
    return Set.copyOf(endpoints);
  }

  private static List<String> values(PGProperty property, Properties parsed) {
    return List.of(String.valueOf(property.getOrDefault(parsed)).split(",", -1));
  }
}
