package dev.handofffence.benchmarks.contender;

import dev.handofffence.benchmarks.server.Database;
import javax.sql.DataSource;

/** A way to run jobs on PostgreSQL. Has no state: everything is in what it opens. */
public interface Contender {

  /**
   * Creates the schema in an empty database, which is then copied for every phase. Leaves no
   * connection open.
   */
  void createSchema(DataSource superuser) throws Exception;

  /** Opens what accepts jobs, with as many connections as there are threads. */
  Producer openProducer(Database database, int threads) throws Exception;

  /** Opens what runs jobs, connected where the library allows it, but not running yet. */
  Workers openWorkers(Database database, int workers, JobBody body) throws Exception;

  /** Returns a query for one boolean: whether an accepted job has not ended durably. */
  String unfinishedQuery();
}
