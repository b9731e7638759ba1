package dev.handofffence.testing;

import java.sql.SQLException;
import javax.sql.DataSource;

/** Fills an empty database that later databases are copied from, with a migration for instance. */
@FunctionalInterface
public interface DatabaseInitializer {

  /**
   * Fills the database. Every connection must be closed on return: PostgreSQL copies no database
   * that somebody is connected to.
   *
   * @param superuser connects to the database to fill
   * @throws SQLException if that fails; the template is then made anew at the next request
   */
  void initialize(DataSource superuser) throws SQLException;
}
