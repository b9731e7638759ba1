package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.DISCOVER;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import dev.handofffence.generated.tables.Discover;
import dev.handofffence.internal.claim.Candidate;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jooq.Record;
import org.jooq.impl.SQLDataType;

/** Finds Work that is due, over all scopes, with the dispatcher's credential. */
public final class DiscoverySql {

  private static final String NAMES = "contract_names";
  private static final String VERSIONS = "contract_versions";
  private static final String MAX_ROWS = "max_rows";

  private static final Discover FOUND =
      DISCOVER(
          param(NAMES, SQLDataType.CLOB.array()),
          param(VERSIONS, SQLDataType.CLOB.array()),
          param(MAX_ROWS, SQLDataType.INTEGER));

  private static final Script DISCOVERY =
      Script.of(
          Statement.ofRows(
              select(FOUND.SCOPE_ID, FOUND.WORK_ID, FOUND.LEASE_GENERATION).from(FOUND)));

  private DiscoverySql() {}

  /**
   * Returns up to so many rows of these contracts, by priority and then by due time.
   *
   * @param names and {@code versions} are parallel
   */
  public static List<Candidate> discover(
      Connection dispatcher, List<String> names, List<String> versions, int maxRows)
      throws SQLException {
    Binds binds =
        new Binds()
            .set(NAMES, names.toArray(String[]::new))
            .set(VERSIONS, versions.toArray(String[]::new))
            .set(MAX_ROWS, maxRows);
    return new RoundTrip()
        .add(DISCOVERY, binds).send(dispatcher, null).get(0).stream()
            .map(DiscoverySql::candidate)
            .toList();
  }

  private static Candidate candidate(Record row) {
    return new Candidate(
        ScopeId.of(row.get(FOUND.SCOPE_ID)),
        new WorkId(row.get(FOUND.WORK_ID)),
        row.get(FOUND.LEASE_GENERATION));
  }
}
