package dev.handofffence.benchmarks.fence;

import dev.handofffence.benchmarks.contender.Contender;
import dev.handofffence.benchmarks.contender.JobBody;
import dev.handofffence.benchmarks.contender.Producer;
import dev.handofffence.benchmarks.contender.Seedable;
import dev.handofffence.benchmarks.contender.Workers;
import dev.handofffence.benchmarks.server.Database;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** Provider-keyed Work in several scopes, with history, permits and row-level security. */
public final class FenceContender implements Contender, Seedable {

  private final Execution execution;

  public FenceContender(Execution execution) {
    this.execution = execution;
  }

  @Override
  public void createSchema(DataSource superuser) throws SQLException, IOException {
    FenceSchema.create(superuser);
  }

  @Override
  public Producer openProducer(Database database, int threads) throws SQLException {
    return new FenceProducer(database, threads);
  }

  @Override
  public Workers openWorkers(Database database, int workers, JobBody body) throws SQLException {
    return new FenceWorkers(database, workers, execution, body);
  }

  @Override
  public List<String> finished() {
    return FenceSeed.FINISHED;
  }

  @Override
  public List<String> pending() {
    return FenceSeed.PENDING;
  }

  /** A Work has a dispatch row as long as it is runnable or owned. */
  @Override
  public String unfinishedQuery() {
    return "SELECT EXISTS (SELECT FROM durable.dispatch)";
  }
}
