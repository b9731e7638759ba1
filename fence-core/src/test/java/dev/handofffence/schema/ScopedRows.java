package dev.handofffence.schema;

import dev.handofffence.fixture.DurableDatabase;
import java.util.List;

/** One row in every table that belongs to a scope. */
final class ScopedRows {

  private ScopedRows() {}

  /** Returns the tables that have a scope_id, from the catalog. */
  static List<String> tables(DurableDatabase database) {
    return database
        .ask(
            """
                SELECT string_agg(c.relname, chr(10) ORDER BY c.relname)
                FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
                WHERE c.relnamespace = 'durable'::regnamespace AND c.relkind IN ('r', 'p')
                  AND a.attname = 'scope_id'
                """)
        .lines()
        .toList();
  }

  /** Inserts as the superuser. */
  static void insert(DurableDatabase database, String scope) {
    database.execute(
        """
        BEGIN;
        SELECT set_config('durable.scope_id', '%1$s', true);
        INSERT INTO durable.scope (scope_id) VALUES ('%1$s');
        INSERT INTO durable.work (scope_id, work_id, scope_generation, epoch)
            VALUES ('%1$s', gen_random_uuid(), 1, gen_random_uuid());
        INSERT INTO durable.work_snapshot (scope_id, work_id, activity_id, contract_name, contract_version,
                payload_format, payload, payload_sha256, provider_safety, priority, max_attempts, retry_initial,
                retry_maximum, lease_duration, lease_max_lifetime, accepted_at)
            SELECT scope_id, work_id, gen_random_uuid(), 'c', 'v1', 'text', 'x', sha256('x'), 'idempotent', 5, 1,
                '1 s', '1 s', '1 s', '1 s', now() FROM durable.work WHERE scope_id = '%1$s';
        INSERT INTO durable.work_identity (scope_id, command_id, idempotency_key, fingerprint, work_id, activity_id,
                accepted_at)
            SELECT scope_id, 'c', 'k', sha256('x'), work_id, gen_random_uuid(), now()
            FROM durable.work WHERE scope_id = '%1$s';
        INSERT INTO durable.work_result (scope_id, work_id, result_format, result)
            SELECT scope_id, work_id, 'text', 'x' FROM durable.work WHERE scope_id = '%1$s';
        INSERT INTO durable.dispatch (scope_id, work_id, contract_name, contract_version, priority, due_at)
            SELECT scope_id, work_id, 'c', 'v1', 5, now() FROM durable.work WHERE scope_id = '%1$s';
        INSERT INTO durable.inquiry (scope_id, work_id, contract_name, contract_version, epoch, due_at)
            SELECT scope_id, work_id, 'c', 'v1', epoch, now() FROM durable.work WHERE scope_id = '%1$s';
        INSERT INTO durable.permit (scope_id, work_id, lease_generation, revision, attempt, lease_owner, scope_generation,
                epoch)
            SELECT scope_id, work_id, 1, 3, 1, gen_random_uuid(), 1, gen_random_uuid()
            FROM durable.work WHERE scope_id = '%1$s';
        INSERT INTO durable.work_event (scope_id, work_id, event, revision, state, attempt, lease_generation)
            SELECT scope_id, work_id, 'claimed', 2, 'claimed', 1, 1 FROM durable.work WHERE scope_id = '%1$s';
        INSERT INTO durable.operator_command (scope_id, command_id, fingerprint, kind, actor, reason, outcome)
            VALUES ('%1$s', 'c', sha256('x'), 'cancel', 'a', 'r', 'done');
        COMMIT
        """
            .formatted(scope));
  }

  /** Returns a text that changes with any row of the table, seen by the superuser. */
  static String contents(DurableDatabase database, String table) {
    return database.ask(
        "SELECT string_agg(t::text, ' ' ORDER BY t::text) FROM durable." + table + " t");
  }

  static String oneAsJson(DurableDatabase database, String table, String scope) {
    return database.ask(
        "SELECT row_to_json(t) FROM durable.%s t WHERE scope_id = '%s' LIMIT 1"
            .formatted(table, scope));
  }
}
