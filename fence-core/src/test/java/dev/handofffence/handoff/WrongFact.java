package dev.handofffence.handoff;

import dev.handofffence.Problem;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.PermittedWork;
import dev.handofffence.fixture.PermittedWork.Row;
import java.util.function.BiConsumer;

/**
 * Everything that makes the fence refuse, in the order in which protocol section 7 lets it win.
 * Each leaves all other facts as they are.
 */
enum WrongFact {
  SCHEMA_MISSING(
      Problem.SCHEMA_MISSING,
      Stage.STORE,
      (database, work) -> database.execute("ALTER SCHEMA durable RENAME TO durable_gone")),
  SCHEMA_TOO_OLD(
      Problem.SCHEMA_TOO_OLD,
      Stage.STORE,
      store("schema_version = 0, oldest_writer = 0, oldest_reader = 0")),
  SCHEMA_TOO_NEW(
      Problem.SCHEMA_TOO_NEW, Stage.STORE, store("schema_version = 2, oldest_writer = 2")),
  SCHEMA_INCONSISTENT(Problem.SCHEMA_INCONSISTENT, Stage.STORE, store("oldest_reader = 2")),
  OTHER_STORE(Problem.STORE_MISMATCH, Stage.STORE, store("store_id = gen_random_uuid()")),
  NO_EPOCH(Problem.EPOCH_MISMATCH, Stage.STORE, store("active_epoch = NULL")),
  OTHER_EPOCH(Problem.EPOCH_MISMATCH, Stage.STORE, store("active_epoch = gen_random_uuid()")),
  SCOPE_ABSENT(
      Problem.SCOPE_ABSENT,
      Stage.SCOPE,
      (database, work) ->
          work.unchecked("DELETE FROM durable.scope WHERE scope_id = '" + work.scopeId() + "'")),
  SCOPE_DISABLED(Problem.SCOPE_DISABLED, Stage.SCOPE, scope("state = 'disabled'")),
  SCOPE_GENERATION(
      Problem.SCOPE_GENERATION_CHANGED, Stage.SCOPE, scope("generation = generation + 1")),
  WORK_ABSENT(Problem.WORK_ABSENT, Stage.WORK, (database, work) -> work.delete(Row.WORK)),
  WORK_SUCCEEDED(Problem.WORK_TERMINAL, Stage.WORK, state("succeeded", false)),
  WORK_FAILED(Problem.WORK_TERMINAL, Stage.WORK, state("failed", false)),
  WORK_CANCELED(Problem.WORK_TERMINAL, Stage.WORK, state("canceled", false)),
  WORK_READY(Problem.CLAIM_LOST, Stage.WORK, state("ready", false)),
  WORK_CLAIMED(Problem.CLAIM_LOST, Stage.WORK, state("claimed", true)),
  WORK_SUSPENDED(Problem.CLAIM_LOST, Stage.WORK, state("suspended", false)),
  WORK_ATTEMPT(Problem.CLAIM_LOST, Stage.WORK, work("attempt = 0")),
  WORK_LEASE_GENERATION(Problem.CLAIM_LOST, Stage.WORK, work("lease_generation = 2")),
  WORK_OWNER(Problem.CLAIM_LOST, Stage.WORK, work("lease_owner = gen_random_uuid()")),
  WORK_SCOPE_GENERATION(Problem.CLAIM_LOST, Stage.WORK, work("scope_generation = 2")),
  WORK_EPOCH(Problem.CLAIM_LOST, Stage.WORK, work("epoch = gen_random_uuid()")),
  DISPATCH_ABSENT(
      Problem.CLAIM_LOST, Stage.DISPATCH, (database, work) -> work.delete(Row.DISPATCH)),
  DISPATCH_LEASE_GENERATION(
      Problem.CLAIM_LOST, Stage.DISPATCH, row(Row.DISPATCH, "lease_generation = 2")),
  DISPATCH_OWNER(
      Problem.CLAIM_LOST,
      Stage.DISPATCH,
      row(
          Row.DISPATCH,
          "lease_owner = gen_random_uuid(), leased_at = coalesce(leased_at, clock_timestamp()),"
              + " lease_expires_at = coalesce(lease_expires_at, clock_timestamp())")),
  DISPATCH_FREE(
      Problem.CLAIM_LOST,
      Stage.DISPATCH,
      row(Row.DISPATCH, "lease_owner = NULL, leased_at = NULL, lease_expires_at = NULL")),
  PERMIT_ABSENT(Problem.PERMIT_INVALID, Stage.PERMIT, (database, work) -> work.delete(Row.PERMIT)),
  PERMIT_GRANTED(
      Problem.PERMIT_INVALID,
      Stage.PERMIT,
      row(Row.PERMIT, "state = 'granted', settled_at = NULL")),
  PERMIT_NO_EFFECT(
      Problem.PERMIT_INVALID,
      Stage.PERMIT,
      row(Row.PERMIT, "state = 'no_effect', settled_at = clock_timestamp()")),
  PERMIT_APPLIED(
      Problem.PERMIT_INVALID,
      Stage.PERMIT,
      row(Row.PERMIT, "state = 'applied', settled_at = clock_timestamp()")),
  PERMIT_UNRESOLVED(
      Problem.PERMIT_INVALID,
      Stage.PERMIT,
      row(Row.PERMIT, "state = 'unresolved', settled_at = clock_timestamp()")),
  PERMIT_ATTEMPT(Problem.PERMIT_INVALID, Stage.PERMIT, row(Row.PERMIT, "attempt = 2")),
  PERMIT_OWNER(
      Problem.PERMIT_INVALID, Stage.PERMIT, row(Row.PERMIT, "lease_owner = gen_random_uuid()")),
  PERMIT_SCOPE_GENERATION(
      Problem.PERMIT_INVALID, Stage.PERMIT, row(Row.PERMIT, "scope_generation = 2")),
  PERMIT_EPOCH(Problem.PERMIT_INVALID, Stage.PERMIT, row(Row.PERMIT, "epoch = gen_random_uuid()")),
  CANCELLATION_REQUESTED(
      Problem.CANCELLATION_REQUESTED, Stage.TIMES, work("cancel_requested_at = clock_timestamp()")),
  LEASE_EXPIRED(
      Problem.LEASE_EXPIRED,
      Stage.TIMES,
      row(Row.DISPATCH, "lease_expires_at = clock_timestamp()")),
  DEADLINE_PASSED(Problem.DEADLINE_PASSED, Stage.TIMES, work("deadline_at = clock_timestamp()"));

  /** What the fence looks at when it meets the fact: everything behind stays untouched. */
  enum Stage {
    STORE,
    SCOPE,
    WORK,
    DISPATCH,
    PERMIT,
    TIMES
  }

  private final Problem problem;
  private final Stage stage;

  @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
  private final BiConsumer<DurableDatabase, PermittedWork> change;

  WrongFact(Problem problem, Stage stage, BiConsumer<DurableDatabase, PermittedWork> change) {
    this.problem = problem;
    this.stage = stage;
    this.change = change;
  }

  Problem problem() {
    return problem;
  }

  Stage stage() {
    return stage;
  }

  /** Makes it wrong; the superuser does, around all triggers and foreign keys. */
  void apply(DurableDatabase database, PermittedWork work) {
    change.accept(database, work);
  }

  /** Puts back what is not the Work's own. */
  static void repair(DurableDatabase database) {
    database.execute(
        """
        DO $$ BEGIN
          IF to_regnamespace('durable_gone') IS NOT NULL THEN
            ALTER SCHEMA durable_gone RENAME TO durable;
          END IF;
        END $$;
        UPDATE durable.store
        SET store_id = '%s', active_epoch = '%s', schema_version = 1, oldest_reader = 1,
            oldest_writer = 1
        """
            .formatted(database.store().storeId(), database.store().epoch()));
  }

  private static BiConsumer<DurableDatabase, PermittedWork> store(String assignments) {
    return (database, work) -> database.execute("UPDATE durable.store SET " + assignments);
  }

  private static BiConsumer<DurableDatabase, PermittedWork> scope(String assignments) {
    return (database, work) ->
        work.unchecked(
            "UPDATE durable.scope SET "
                + assignments
                + " WHERE scope_id = '"
                + work.scopeId()
                + "'");
  }

  private static BiConsumer<DurableDatabase, PermittedWork> work(String assignments) {
    return row(Row.WORK, assignments);
  }

  private static BiConsumer<DurableDatabase, PermittedWork> row(Row row, String assignments) {
    return (database, work) -> work.update(row, assignments);
  }

  private static BiConsumer<DurableDatabase, PermittedWork> state(String state, boolean owned) {
    return work(
        "state = '"
            + state
            + "', suspend_reason = "
            + (state.equals("suspended") ? "'epoch_changed'" : "NULL")
            + ", lease_owner = "
            + (owned ? "coalesce(lease_owner, gen_random_uuid())" : "NULL"));
  }
}
