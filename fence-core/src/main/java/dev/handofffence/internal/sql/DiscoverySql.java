package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.DISCOVER;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import dev.handofffence.generated.tables.Discover;
import dev.handofffence.internal.claim.Candidate;
import dev.handofffence.internal.claim.Discovery;
import dev.handofffence.internal.claim.Lane;
import dev.handofffence.internal.claim.LaneCursor;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jooq.impl.SQLDataType;

/** Finds Work that is due, over all scopes, with the dispatcher's credential. */
public final class DiscoverySql {

  private static final String NAMES = "contract_names";
  private static final String VERSIONS = "contract_versions";
  private static final String MAX_ROWS = "max_rows";
  private static final String PLACES = "places";
  private static final String AFTER_CONTRACT = "after_contract";
  private static final String AFTER_SCOPES = "after_scopes";

  private static final Discover FOUND =
      DISCOVER(
          param(NAMES, SQLDataType.CLOB.array()),
          param(VERSIONS, SQLDataType.CLOB.array()),
          param(MAX_ROWS, SQLDataType.INTEGER),
          param(PLACES, SQLDataType.INTEGER),
          param(AFTER_CONTRACT, SQLDataType.INTEGER),
          param(AFTER_SCOPES, SQLDataType.CLOB.array()));

  private static final Script DISCOVERY =
      Script.of(
          Statement.ofRows(
              select(
                      FOUND.SCOPE_ID,
                      FOUND.WORK_ID,
                      FOUND.LEASE_GENERATION,
                      FOUND.LANE_CONTRACT,
                      FOUND.LANE_SCOPE)
                  .from(FOUND)));

  private DiscoverySql() {}

  /**
   * Returns up to so many rows of these contracts, by priority and then by due time; when they are
   * more than the places, also the lanes behind the cursor.
   *
   * @param names and {@code versions} are parallel
   */
  public static Discovery discover(
      Connection dispatcher,
      List<String> names,
      List<String> versions,
      int maxRows,
      int places,
      LaneCursor cursor)
      throws SQLException {
    Binds binds =
        new Binds()
            .set(NAMES, names.toArray(String[]::new))
            .set(VERSIONS, versions.toArray(String[]::new))
            .set(MAX_ROWS, maxRows)
            .set(PLACES, places)
            .set(AFTER_CONTRACT, cursor.contract())
            .set(AFTER_SCOPES, cursor.scopes().toArray(String[]::new));
    return discovery(new RoundTrip().add(DISCOVERY, binds).send(dispatcher, null).get(0));
  }

  private static Discovery discovery(Rows rows) {
    List<Candidate> first = new ArrayList<>();
    Map<LaneKey, List<Candidate>> lanes = new LinkedHashMap<>();
    for (Row row : rows) {
      Integer contract = row.get(FOUND.LANE_CONTRACT);
      List<Candidate> among =
          contract == null
              ? first
              : lanes.computeIfAbsent(
                  new LaneKey(contract, row.get(FOUND.LANE_SCOPE)), k -> new ArrayList<>());
      if (row.get(FOUND.WORK_ID) != null) {
        among.add(candidate(row));
      }
    }
    return new Discovery(
        first,
        lanes.entrySet().stream()
            .map(e -> new Lane(e.getKey().contract(), e.getKey().scope(), e.getValue()))
            .toList());
  }

  private record LaneKey(int contract, String scope) {}

  private static Candidate candidate(Row row) {
    return new Candidate(
        ScopeId.of(row.get(FOUND.SCOPE_ID)),
        new WorkId(row.get(FOUND.WORK_ID)),
        row.get(FOUND.LEASE_GENERATION));
  }
}
