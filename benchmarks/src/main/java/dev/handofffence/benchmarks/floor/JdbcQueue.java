package dev.handofffence.benchmarks.floor;

import dev.handofffence.benchmarks.contender.Contender;
import dev.handofffence.benchmarks.contender.JobBody;
import dev.handofffence.benchmarks.contender.Producer;
import dev.handofffence.benchmarks.contender.Seedable;
import dev.handofffence.benchmarks.contender.Workers;
import dev.handofffence.benchmarks.server.Database;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** A table of jobs with leases, and nothing else: no history, no tenants, no retry. */
public final class JdbcQueue implements Contender, Seedable {

  static final String CHANNEL = "job_accepted";

  private final JdbcSteps steps;

  public JdbcQueue(JdbcSteps steps) {
    this.steps = steps;
  }

  @Override
  public void createSchema(DataSource superuser) throws SQLException {
    try (var connection = superuser.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(
          """
          CREATE TABLE job (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            payload text NOT NULL,
            state smallint NOT NULL DEFAULT 0,
            due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            lease_owner integer,
            lease_expires_at timestamptz
          ) WITH (fillfactor = 70);
          CREATE INDEX job_ready ON job (due_at) WHERE state = 0;
          """);
    }
  }

  @Override
  public Producer openProducer(Database database, int threads) throws SQLException {
    return new JdbcProducer(database.pool(threads), steps.wakes());
  }

  @Override
  public Workers openWorkers(Database database, int workers, JobBody body) throws SQLException {
    return new JdbcWorkers(database, workers, steps, body);
  }

  @Override
  public List<String> finished() {
    return List.of(
        """
        INSERT INTO job (payload, state, due_at, lease_owner, lease_expires_at)
        SELECT repeat('x', 100), 3, now() - interval '1 day', 1, now() - interval '1 day'
        FROM generate_series({from}, {to})
        """);
  }

  @Override
  public List<String> pending() {
    return List.of(
        """
        INSERT INTO job (payload, due_at)
        SELECT repeat('x', 100), now() - interval '1 day' + n * interval '1 ms'
        FROM generate_series({from}, {to}) AS n
        """);
  }

  /** Only jobs that are ready or owned are below 3. No measurement has more than the latest. */
  @Override
  public String unfinishedQuery() {
    return "SELECT EXISTS (SELECT FROM job WHERE state < 3 AND id > (SELECT max(id) FROM job) - 500000)";
  }
}
