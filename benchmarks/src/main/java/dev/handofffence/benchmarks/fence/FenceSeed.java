package dev.handofffence.benchmarks.fence;

import java.util.List;
import java.util.stream.Stream;

/** Rows as the library leaves them, of Works that have ended or wait. */
final class FenceSeed {

  /** Ids in the order of acceptance, older than any that the library makes now. */
  private static final String ID = "('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid";

  private static final String SCOPE = "'tenant-' || n % {scopes}";
  private static final String OWNER = "'00000000-0000-4000-8000-000000000001'::uuid";
  private static final String EPOCH = "(SELECT active_epoch FROM durable.store)";
  private static final String ROWS = " FROM generate_series({from}, {to}) AS n";

  private static final List<String> ACCEPTED =
      List.of(
          "INSERT INTO durable.scope (scope_id) SELECT DISTINCT "
              + SCOPE
              + ROWS
              + " ON CONFLICT DO NOTHING",
          """
          INSERT INTO durable.work_snapshot (scope_id, work_id, activity_id, contract_name, contract_version,
            payload_format, payload, payload_sha256, provider_safety, priority, max_attempts, retry_initial,
            retry_maximum, lease_duration, lease_max_lifetime, accepted_at)
          SELECT %s, %s, gen_random_uuid(), 'bench.job', 'v1', 'text', convert_to(repeat('x', 100), 'UTF8'),
            sha256(convert_to(repeat('x', 100), 'UTF8')), 'provider_keyed', 5, 10, interval '1 s', interval '1 min',
            interval '30 s', interval '1 h', now() - interval '1 day'
          """
                  .formatted(SCOPE, ID)
              + ROWS,
          """
          INSERT INTO durable.work_identity
            (scope_id, command_id, idempotency_key, fingerprint, work_id, activity_id, accepted_at)
          SELECT %s, gen_random_uuid()::text, gen_random_uuid()::text, sha256(convert_to(n::text, 'UTF8')), %s,
            gen_random_uuid(), now() - interval '1 day'
          """
                  .formatted(SCOPE, ID)
              + ROWS);

  static final List<String> FINISHED =
      Stream.concat(
              ACCEPTED.stream(),
              Stream.of(
                  work("succeeded", 4, 1),
                  """
                  INSERT INTO durable.work_result (scope_id, work_id, result_format, result, entry, revision,
                    attempt, lease_generation)
                  SELECT %s, %s, 'text', convert_to('done', 'UTF8'), nextval('durable.work_history_entry'), 4, 1, 1
                  """
                          .formatted(SCOPE, ID)
                      + ROWS,
                  """
                  INSERT INTO durable.permit (scope_id, work_id, lease_generation, revision, attempt, lease_owner,
                    scope_generation, epoch, state, admitted_at, settled_at)
                  SELECT %s, %s, 1, 3, 1, %s, 1, %s, 'applied', now(), now()
                  """
                          .formatted(SCOPE, ID, OWNER, EPOCH)
                      + ROWS,
                  """
                  INSERT INTO durable.work_event
                    (scope_id, work_id, event, revision, state, attempt, lease_generation)
                  SELECT %s, %s, 'claimed', 2, 'claimed', 1, 1
                  """
                          .formatted(SCOPE, ID)
                      + ROWS))
          .toList();

  static final List<String> PENDING =
      Stream.concat(
              ACCEPTED.stream(),
              Stream.of(
                  work("ready", 1, 0),
                  """
                  INSERT INTO durable.dispatch
                    (scope_id, work_id, contract_name, contract_version, priority, due_at)
                  SELECT %s, %s, 'bench.job', 'v1', 5, now() - interval '1 day' + n * interval '1 ms'
                  """
                          .formatted(SCOPE, ID)
                      + ROWS))
          .toList();

  private FenceSeed() {}

  private static String work(String state, int revision, int attempt) {
    return """
        INSERT INTO durable.work
          (scope_id, work_id, state, revision, attempt, lease_generation, scope_generation, epoch)
        SELECT %s, %s, '%s', %d, %d, %d, 1, %s
        """
            .formatted(SCOPE, ID, state, revision, attempt, attempt, EPOCH)
        + ROWS;
  }
}
