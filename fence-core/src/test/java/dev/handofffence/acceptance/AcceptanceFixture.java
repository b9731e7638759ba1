package dev.handofffence.acceptance;

import dev.handofffence.ScopeId;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.internal.work.Acceptance;
import dev.handofffence.internal.work.AcceptanceLimits;
import dev.handofffence.work.AcceptedWork;
import dev.handofffence.work.WorkAcceptance;

/** A database, acceptance with the restricted runtime role, and looks at what it wrote. */
final class AcceptanceFixture implements AutoCloseable {

  private final DurableDatabase database = DurableDatabase.create();
  private final WorkAcceptance acceptance =
      new Acceptance(database.store(), database.runtime(), AcceptanceLimits.standard());

  WorkAcceptance acceptance() {
    return acceptance;
  }

  DurableDatabase database() {
    return database;
  }

  /** Returns how many rows a Work has in each table. */
  String rowsOf(AcceptedWork work) {
    return database.ask(
        """
        SELECT format('identity %%s, work %%s, snapshot %%s, dispatch %%s, history %%s',
            (SELECT count(*) FROM durable.work_identity WHERE work_id = w.id),
            (SELECT min(state) || ' ' || count(*) FROM durable.work WHERE work_id = w.id),
            (SELECT count(*) FROM durable.work_snapshot WHERE work_id = w.id),
            (SELECT count(*) FROM durable.dispatch WHERE work_id = w.id),
            (SELECT min(event) || ' ' || count(*) FROM durable.work_history WHERE work_id = w.id))
        FROM (SELECT '%s'::uuid AS id) w
        """
            .formatted(work.workId()));
  }

  /** Returns a text that changes with any row of any table. */
  String contents() {
    return database.ask(
        """
        SELECT string_agg(t, ' ' ORDER BY t) FROM (
            SELECT 'scope' || hashtextextended(s::text, 0) FROM durable.scope s
            UNION ALL SELECT 'history' || hashtextextended(h::text, 0) FROM durable.work_history h
            UNION ALL SELECT 'identity' || hashtextextended(i::text, 0) FROM durable.work_identity i
            UNION ALL SELECT 'work' || hashtextextended(w::text, 0) FROM durable.work w
            UNION ALL SELECT 'snapshot' || hashtextextended(s::text, 0) FROM durable.work_snapshot s
            UNION ALL SELECT 'dispatch' || hashtextextended(d::text, 0) FROM durable.dispatch d
            ) AS rows (t)
        """);
  }

  /** As an operator does. */
  void disableScope(ScopeId scope) {
    database.execute(
        """
        BEGIN;
        SELECT set_config('durable.scope_id', '%1$s', true);
        UPDATE durable.scope SET state = 'disabled', generation = generation + 1
            WHERE scope_id = '%1$s';
        COMMIT
        """
            .formatted(scope.value()));
  }

  @Override
  public void close() {
    database.close();
  }
}
