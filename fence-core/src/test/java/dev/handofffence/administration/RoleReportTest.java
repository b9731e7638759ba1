package dev.handofffence.administration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.DurableException;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.TestRole;
import dev.handofffence.runtime.RoleNames;
import dev.handofffence.runtime.RoleReport;
import dev.handofffence.runtime.RoleReport.Finding;
import dev.handofffence.runtime.RoleReport.Kind;
import dev.handofffence.runtime.ServiceRole;
import dev.handofffence.runtime.StoreAdministration;
import dev.handofffence.testing.PostgresServer;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoleReportTest {

  private final DurableDatabase database = DurableDatabase.create();

  @AfterEach
  void close() {
    database.close();
  }

  /** Also proves that the grant script and the library agree about what each role needs. */
  @ParameterizedTest
  @EnumSource
  void grantedRole_isRestricted(ServiceRole role) {
    RoleReport report = StoreAdministration.checkRole(role, connections(role));

    assertThat(report.findings()).isEmpty();
    assertThat(report.isRestricted()).isTrue();
  }

  @Test
  void superuser_isReported() {
    assertThat(kinds(database.superuser())).contains(Kind.POWERFUL);
  }

  @Test
  void superuserActingAsTheRuntime_isReported() {
    DataSource acting = PostgresServer.actingAs(DurableDatabase.RUNTIME, database.superuser());

    assertThat(kinds(acting)).containsExactly(Kind.POWERFUL);
  }

  @Test
  void owner_isReported() {
    assertThat(kinds(database.owner()))
        .contains(Kind.POWERFUL, Kind.OWNER, Kind.CREATES_OBJECTS, Kind.EXCESS_GRANT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"BYPASSRLS", "CREATEROLE", "CREATEDB"})
  void powerfulRole_isReportedByAttribute(String attribute) {
    try (TestRole role = TestRole.create(database, "")) {
      grant(role);
      database.execute("ALTER ROLE " + role.name() + " " + attribute);

      assertThat(report(role.connections()).findings())
          .containsExactly(new Finding(Kind.POWERFUL, role.name() + " is " + attribute));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {DurableDatabase.OWNER, "pg_read_all_data"})
  void memberOfAPowerfulRole_isReportedEvenIfItDoesNotInherit(String group) {
    try (TestRole role = TestRole.create(database, "NOINHERIT")) {
      grant(role);
      database.execute("GRANT " + group + " TO " + role.name());

      assertThat(report(role.connections()).findings())
          .containsExactly(new Finding(Kind.MEMBER_OF_POWERFUL_ROLE, group));
    }
  }

  @Test
  void ownerOfAnObject_isReported() {
    try (TestRole role = TestRole.create(database, "")) {
      grant(role);
      database.execute("ALTER FUNCTION durable.bound_scope() OWNER TO " + role.name());

      assertThat(report(role.connections()).findings())
          .containsExactly(new Finding(Kind.OWNER, "bound_scope"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GRANT CREATE ON SCHEMA durable TO         | CREATES_OBJECTS | schema durable
          GRANT DELETE ON durable.work_event TO     | EXCESS_GRANT    | DELETE on work_event
          GRANT UPDATE ON SEQUENCE durable.work_history_entry TO | EXCESS_GRANT | UPDATE on work_history_entry
          GRANT SELECT ON durable.work_history TO   | EXCESS_GRANT    | SELECT on work_history (actor, attempt, code, entry, event, lease_generation, reason, recorded_at, revision, scope_id, state, suspend_reason, work_id)
          GRANT UPDATE (deadline_at) ON durable.work TO | EXCESS_GRANT | UPDATE on work (deadline_at)
          GRANT EXECUTE ON FUNCTION durable.discover TO | EXCESS_GRANT | EXECUTE on discover
          GRANT TRUNCATE ON durable.dispatch TO PUBLIC, | EXCESS_GRANT | TRUNCATE on dispatch
          REVOKE UPDATE (attempt, state) ON durable.work FROM | LACKS_GRANT | UPDATE on work (attempt, state)
          REVOKE USAGE ON SEQUENCE durable.work_history_entry FROM | LACKS_GRANT | USAGE on work_history_entry
          REVOKE DELETE ON durable.dispatch FROM    | LACKS_GRANT     | DELETE on dispatch
          REVOKE EXECUTE ON FUNCTION durable.scope_lock_key FROM | LACKS_GRANT | EXECUTE on scope_lock_key
          """)
  void grantChangedByHand_isReported(String change, Kind kind, String detail) {
    database.execute(change + " " + DurableDatabase.RUNTIME);

    assertThat(report(database.runtime()).findings()).containsExactly(new Finding(kind, detail));
  }

  @Test
  void roleThatWasNeverGranted_lacksEverything() {
    try (TestRole role = TestRole.create(database, "")) {
      assertThat(kinds(role.connections())).containsExactly(Kind.LACKS_GRANT);
    }
  }

  @Test
  void databaseWithoutTheSchema_isToBeMigratedFirst() {
    database.execute("DROP SCHEMA durable CASCADE");

    assertThatThrownBy(() -> report(database.runtime()))
        .isInstanceOf(DurableException.class)
        .hasMessageContaining("DUR400")
        .hasMessageContaining("Apply the Flyway migrations");
  }

  private void grant(TestRole runtime) {
    StoreAdministration.of(database.owner())
        .grantRoles(
            new RoleNames(
                DurableDatabase.OWNER,
                DurableDatabase.DISPATCHER,
                runtime.name(),
                DurableDatabase.OPERATOR));
  }

  private DataSource connections(ServiceRole role) {
    return switch (role) {
      case DISPATCHER -> database.dispatcher();
      case RUNTIME -> database.runtime();
      case OPERATOR -> database.operator();
      case RETENTION -> database.retention();
    };
  }

  private static RoleReport report(DataSource credential) {
    return StoreAdministration.checkRole(ServiceRole.RUNTIME, credential);
  }

  private static Set<Kind> kinds(DataSource credential) {
    return report(credential).findings().stream().map(Finding::kind).collect(Collectors.toSet());
  }
}
