package dev.handofffence.benchmarks.floor;

import com.zaxxer.hikari.HikariDataSource;
import dev.handofffence.benchmarks.contender.Producer;
import java.sql.SQLException;
import java.util.List;

/** Inserts jobs, in autocommit: one trip and one commit, whatever the number. */
final class JdbcProducer implements Producer {

  private static final String NOTIFY = "; SELECT pg_notify('" + JdbcQueue.CHANNEL + "', '')";

  private final HikariDataSource pool;
  private final String one;
  private final String many;

  JdbcProducer(HikariDataSource pool, boolean notify) {
    this.pool = pool;
    String suffix = notify ? NOTIFY : "";
    this.one = "INSERT INTO job (payload) VALUES (?)" + suffix;
    this.many = "INSERT INTO job (payload) SELECT unnest(?)" + suffix;
  }

  @Override
  public void accept(String payload) throws SQLException {
    try (var connection = pool.getConnection();
        var statement = connection.prepareStatement(one)) {
      statement.setString(1, payload);
      statement.execute();
    }
  }

  @Override
  public void acceptAll(List<String> payloads) throws SQLException {
    try (var connection = pool.getConnection();
        var statement = connection.prepareStatement(many)) {
      statement.setArray(1, connection.createArrayOf("text", payloads.toArray()));
      statement.execute();
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
