package dev.handofffence.consumer.quickstart;

import dev.handofffence.consumer.ConsumerDatabase;
import java.sql.SQLException;

/**
 * The main job as a person wants to see it, run by {@code mvn -Pquickstart}: what was decided, what
 * was locked meanwhile, what was committed, and what the provider received.
 */
public final class Quickstart {

  private Quickstart() {}

  /**
   * Runs the example on the PostgreSQL that the tests would use; ends with 1 when something is
   * wrong.
   *
   * @param args unused
   */
  public static void main(String[] args) {
    try (ConsumerDatabase database = ConsumerDatabase.create()) {
      run(database, Terminal.standard());
    } catch (SQLException | RuntimeException e) {
      System.err.println(Failure.describe(e));
      System.exit(1);
    }
  }

  static Findings run(ConsumerDatabase database, Terminal terminal) throws SQLException {
    Findings findings = new MainJob(database).run();
    new Report(terminal).print("PostgreSQL " + database.ask("SHOW server_version"), findings);
    return findings;
  }
}
