package dev.handofffence.internal.administration;

import dev.handofffence.Problem;
import dev.handofffence.generated.Durable;
import dev.handofffence.internal.sql.AdministrationTrips;
import dev.handofffence.internal.sql.ExpectedGrants;
import dev.handofffence.internal.sql.Grant;
import dev.handofffence.internal.store.StoreCheck;
import dev.handofffence.internal.store.StoreRow;
import dev.handofffence.runtime.SchemaState;
import dev.handofffence.runtime.StoreStatus;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/** Compares the schema of a store with what this version of the library was built for. */
public final class SchemaInspection {

  private SchemaInspection() {}

  public static StoreStatus of(DataSource owner) {
    return OwnerConnection.with(owner, "Looking at the schema", SchemaInspection::of);
  }

  private static StoreStatus of(Connection connection) throws SQLException {
    Set<String> columns = AdministrationTrips.columns(connection);
    if (tables().noneMatch(table -> has(columns, table))) {
      return unreadable(SchemaState.MISSING, List.of());
    }
    List<String> findings = new ArrayList<>(missing(columns));
    if (findings.stream().anyMatch(finding -> finding.startsWith("store"))) {
      return unreadable(SchemaState.INCONSISTENT, findings);
    }
    findings.addAll(AdministrationTrips.protectionsTakenAway(connection));
    StoreStatus status = status(AdministrationTrips.store(connection), findings);
    return status.schema() == SchemaState.READY
        ? withOutstanding(status, AdministrationTrips.given(connection))
        : status;
  }

  /** What the deployer has to do before workers can run. */
  private static StoreStatus withOutstanding(StoreStatus status, Set<Grant> given) {
    List<String> outstanding = new ArrayList<>();
    lacking(given).ifPresent(outstanding::add);
    if (status.activeEpoch().isEmpty()) {
      outstanding.add("no epoch is active: initialiseEpoch, or rotateEpoch after a restore");
    }
    return new StoreStatus(
        status.schema(), status.storeId(), status.activeEpoch(), List.of(), outstanding);
  }

  /** Retention is left out: a store may have no such role. */
  private static Optional<String> lacking(Set<Grant> given) {
    List<String> lacking =
        Stream.of(ExpectedGrants.dispatcher(), ExpectedGrants.runtime(), ExpectedGrants.operator())
            .flatMap(Set::stream)
            .filter(grant -> !given.contains(grant))
            .map(grant -> grant.privilege() + " on " + grant.object())
            .distinct()
            .sorted()
            .toList();
    return lacking.isEmpty()
        ? Optional.empty()
        : Optional.of("no role has " + String.join(", ", lacking) + ": grantRoles");
  }

  /**
   * An older schema lacks things and a newer one may have dropped some: its version comes first.
   */
  private static StoreStatus status(@Nullable StoreRow store, List<String> findings) {
    if (store == null) {
      return unreadable(SchemaState.INCONSISTENT, List.of("store: the row is absent"));
    }
    SchemaState versions =
        StoreCheck.schemaProblem(store).map(SchemaInspection::state).orElse(SchemaState.READY);
    boolean broken = versions == SchemaState.READY && !findings.isEmpty();
    return new StoreStatus(
        broken ? SchemaState.INCONSISTENT : versions,
        Optional.of(store.storeId()),
        Optional.ofNullable(store.activeEpoch()),
        findings,
        List.of());
  }

  private static SchemaState state(Problem problem) {
    return Stream.of(SchemaState.values())
        .filter(state -> state.problem().equals(Optional.of(problem)))
        .findAny()
        .orElseThrow();
  }

  private static StoreStatus unreadable(SchemaState state, List<String> findings) {
    return new StoreStatus(state, Optional.empty(), Optional.empty(), findings, List.of());
  }

  private static List<String> missing(Set<String> columns) {
    return tables().flatMap(table -> missing(columns, table)).toList();
  }

  private static Stream<String> missing(Set<String> columns, Table<?> table) {
    if (!has(columns, table)) {
      String kind = table.getTableType().isView() ? "view" : "table";
      return Stream.of(table.getName() + ": the " + kind + " is missing");
    }
    return Arrays.stream(table.fields())
        .filter(field -> !columns.contains(table.getName() + "." + field.getName()))
        .map(field -> table.getName() + ": column " + field.getName() + " is missing");
  }

  private static boolean has(Set<String> columns, Table<?> table) {
    return columns.stream().anyMatch(column -> column.startsWith(table.getName() + "."));
  }

  /** Functions that return rows count as tables to jOOQ. */
  private static Stream<Table<?>> tables() {
    return Durable.DURABLE.getTables().stream()
        .filter(table -> table.getTableType().isTable() || table.getTableType().isView());
  }
}
