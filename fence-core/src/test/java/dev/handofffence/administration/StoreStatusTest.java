package dev.handofffence.administration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.DurableException;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.runtime.SchemaState;
import dev.handofffence.runtime.StoreAdministration;
import dev.handofffence.runtime.StoreStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreStatusTest {

  private final DurableDatabase database = DurableDatabase.create();
  private final StoreAdministration administration = StoreAdministration.of(database.owner());

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void migratedStore_isReady() {
    StoreStatus status = administration.status();

    assertThat(status.schema()).isEqualTo(SchemaState.READY);
    assertThat(status.findings()).isEmpty();
    assertThat(status.outstanding()).isEmpty();
    assertThat(status.storeId()).contains(database.store().storeId());
    assertThat(status.activeEpoch()).contains(database.store().epoch());
    assertThat(administration.storeId()).isEqualTo(database.store().storeId());
  }

  @Test
  void storeWithoutAnEpoch_isReadyToGetOne() {
    database.execute("UPDATE durable.store SET active_epoch = NULL");

    assertThat(administration.status().schema()).isEqualTo(SchemaState.READY);
    assertThat(administration.status().activeEpoch()).isEmpty();
    assertThat(administration.status().outstanding())
        .containsExactly("no epoch is active: initialiseEpoch, or rotateEpoch after a restore");
  }

  /** As every migration that makes something leaves it until the grants are run again. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          REVOKE EXECUTE ON FUNCTION durable.discover FROM fence_it_dispatcher | EXECUTE on discover
          REVOKE UPDATE (due_at) ON durable.inquiry FROM fence_it_runtime      | UPDATE on inquiry
          REVOKE DELETE ON durable.dispatch FROM fence_it_runtime, fence_it_operator | DELETE on dispatch
          REVOKE SELECT ON durable.epoch FROM fence_it_operator                | SELECT on epoch
          REVOKE SELECT ON durable.work_history FROM fence_it_operator         | SELECT on work_history
          REVOKE USAGE ON SEQUENCE durable.work_history_entry FROM fence_it_runtime, fence_it_operator | USAGE on work_history_entry
          """)
  void grantThatNobodyHas_isOutstanding(String change, String lacking) {
    database.execute(change);

    assertThat(administration.status().schema()).isEqualTo(SchemaState.READY);
    assertThat(administration.status().outstanding())
        .containsExactly("no role has " + lacking + ": grantRoles");
  }

  @Test
  void storeThatWasOnlyMigrated_saysWhatIsLeft() {
    String services =
        "fence_it_dispatcher, fence_it_runtime, fence_it_operator, fence_it_retention";
    database.execute(
        "REVOKE ALL ON ALL TABLES IN SCHEMA durable FROM %1$s; REVOKE ALL ON ALL SEQUENCES IN SCHEMA durable FROM %1$s; REVOKE ALL ON ALL FUNCTIONS IN SCHEMA durable FROM %1$s; UPDATE durable.store SET active_epoch = NULL"
            .formatted(services));

    assertThat(administration.status().schema()).isEqualTo(SchemaState.READY);
    assertThat(administration.status().outstanding())
        .hasSize(2)
        .anyMatch(text -> text.contains("EXECUTE on discover,") && text.endsWith(": grantRoles"))
        .anyMatch(text -> text.contains("initialiseEpoch"));
  }

  @Test
  void databaseWithoutTheSchema_isMissing() {
    database.execute("DROP SCHEMA durable CASCADE");

    assertThat(administration.status().schema()).isEqualTo(SchemaState.MISSING);
    assertThatThrownBy(administration::storeId)
        .isInstanceOf(DurableException.class)
        .hasMessageContaining("DUR400")
        .hasMessageContaining("Apply the Flyway migrations")
        .hasMessageNotContaining("Observed");
  }

  @Test
  void schemaThatIsEmpty_isMissing() {
    database.execute("DROP SCHEMA durable CASCADE; CREATE SCHEMA durable");

    assertThat(administration.status().schema()).isEqualTo(SchemaState.MISSING);
  }

  @Test
  void olderSchema_requiresAnUpgrade() {
    database.execute(
        "ALTER TABLE durable.store DROP CONSTRAINT store_versions;"
            + " UPDATE durable.store SET schema_version = 0, oldest_writer = 0, oldest_reader = 0");

    assertThat(administration.status().schema()).isEqualTo(SchemaState.UPGRADE_REQUIRED);
    assertThatThrownBy(administration::storeId).hasMessageContaining("DUR401");
  }

  @Test
  void newerSchemaThatAdmitsUs_isReady() {
    database.execute("UPDATE durable.store SET schema_version = 9");

    assertThat(administration.status().schema()).isEqualTo(SchemaState.READY);
  }

  @Test
  void newerSchemaThatDoesNot_isTooNew() {
    database.execute("UPDATE durable.store SET schema_version = 9, oldest_writer = 9");

    assertThat(administration.status().schema()).isEqualTo(SchemaState.TOO_NEW);
    assertThatThrownBy(administration::storeId).hasMessageContaining("DUR402");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          DROP TABLE durable.work_identity                           | work_identity: the table is missing
          DROP VIEW durable.work_history                             | work_history: the view is missing
          ALTER VIEW durable.work_history SET (security_invoker = off) | work_history: security_invoker is off
          ALTER VIEW durable.work_history RESET (security_invoker)   | work_history: security_invoker is off
          DROP TABLE durable.store                                   | store: the table is missing
          ALTER TABLE durable.permit DROP COLUMN settled_at          | permit: column settled_at is missing
          ALTER TABLE durable.work DISABLE ROW LEVEL SECURITY        | work: row-level security is not forced
          ALTER TABLE durable.dispatch NO FORCE ROW LEVEL SECURITY   | dispatch: row-level security is not forced
          ALTER TABLE durable.scope DISABLE TRIGGER scope_change_takes_the_scope_lock | scope: trigger scope_change_takes_the_scope_lock is disabled
          SET session_replication_role = replica; DELETE FROM durable.store | store: the row is absent
          """)
  void schemaChangedByHand_isInconsistentAndSaysWhere(String change, String finding) {
    database.execute(change);

    assertThat(administration.status().schema()).isEqualTo(SchemaState.INCONSISTENT);
    assertThat(administration.status().findings()).containsExactly(finding);
    assertThatThrownBy(administration::storeId)
        .hasMessageContaining("DUR403")
        .hasMessageContaining(finding);
  }
}
