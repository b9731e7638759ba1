package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Sequences.WORK_HISTORY_ENTRY;
import static dev.handofffence.generated.Tables.DISPATCH;
import static dev.handofffence.generated.Tables.EPOCH;
import static dev.handofffence.generated.Tables.INQUIRY;
import static dev.handofffence.generated.Tables.OPERATOR_COMMAND;
import static dev.handofffence.generated.Tables.PERMIT;
import static dev.handofffence.generated.Tables.SCOPE;
import static dev.handofffence.generated.Tables.SCOPE_HISTORY;
import static dev.handofffence.generated.Tables.STORE;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.generated.Tables.WORKER;
import static dev.handofffence.generated.Tables.WORK_EVENT;
import static dev.handofffence.generated.Tables.WORK_HISTORY;
import static dev.handofffence.generated.Tables.WORK_IDENTITY;
import static dev.handofffence.generated.Tables.WORK_RESULT;
import static dev.handofffence.generated.Tables.WORK_SNAPSHOT;

import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jooq.Field;
import org.jooq.Sequence;
import org.jooq.Table;
import org.jooq.TableField;

/**
 * The privileges that the statements of this version need: what {@code db/roles/grant-roles.sql}
 * grants. A test compares the two.
 */
public final class ExpectedGrants {

  private final Set<Grant> grants = new HashSet<>();

  private ExpectedGrants() {}

  public static Set<Grant> dispatcher() {
    return new ExpectedGrants().execute("discover", "discover_inquiries").grants;
  }

  public static Set<Grant> runtime() {
    return new ExpectedGrants()
        .all("SELECT", STORE, SCOPE, WORK, WORK_SNAPSHOT, WORK_IDENTITY, WORK_RESULT)
        .all("SELECT", DISPATCH, PERMIT, OPERATOR_COMMAND, WORKER)
        .on("INSERT", SCOPE.SCOPE_ID)
        .all("INSERT", WORK, WORK_SNAPSHOT, WORK_IDENTITY, WORK_RESULT)
        .all("INSERT", DISPATCH, PERMIT, WORK_EVENT, OPERATOR_COMMAND, WORKER)
        .usage(WORK_HISTORY_ENTRY)
        .changesWork()
        .on("UPDATE", WORK.PERMITTED_ATTEMPTS)
        .on(
            "UPDATE",
            DISPATCH.DUE_AT,
            DISPATCH.LEASE_GENERATION,
            DISPATCH.LEASE_OWNER,
            DISPATCH.LEASED_AT,
            DISPATCH.LEASE_EXPIRES_AT)
        .delete(DISPATCH)
        .on("UPDATE", PERMIT.STATE, PERMIT.ADMITTED_AT, PERMIT.SETTLED_AT)
        .all("SELECT", INQUIRY)
        .on("UPDATE", INQUIRY.DUE_AT, INQUIRY.ASKED)
        .on("UPDATE", WORKER.INCARNATION, WORKER.DISPLAY_NAME, WORKER.EPOCH, WORKER.STARTED_AT)
        .on("UPDATE", WORKER.HEARTBEAT_AT, WORKER.IDLE_UNTIL)
        .on("UPDATE", WORKER.DRAIN_REQUESTED_AT, WORKER.STOPPED_AT)
        .execute("bound_scope", "scope_lock_key", "epoch_lock_key")
        .grants;
  }

  public static Set<Grant> operator() {
    return new ExpectedGrants()
        .all("SELECT", STORE, EPOCH, SCOPE, SCOPE_HISTORY, WORK, WORK_SNAPSHOT, WORK_IDENTITY)
        .all("SELECT", WORK_RESULT, DISPATCH, PERMIT, WORK_EVENT, WORK_HISTORY)
        .all("SELECT", OPERATOR_COMMAND, WORKER)
        .on(
            "UPDATE",
            SCOPE.GENERATION,
            SCOPE.STATE,
            SCOPE.CHANGED_AT,
            SCOPE.CHANGED_BY,
            SCOPE.CHANGE_REASON)
        .changesWork()
        .on("UPDATE", WORK.EXTRA_ATTEMPTS)
        .all("INSERT", DISPATCH, WORK_EVENT, WORK_RESULT, OPERATOR_COMMAND)
        .usage(WORK_HISTORY_ENTRY)
        .on(
            "UPDATE",
            DISPATCH.DUE_AT,
            DISPATCH.LEASE_GENERATION,
            DISPATCH.LEASE_OWNER,
            DISPATCH.LEASED_AT,
            DISPATCH.LEASE_EXPIRES_AT)
        .delete(DISPATCH)
        .on("UPDATE", PERMIT.STATE, PERMIT.SETTLED_AT)
        .all("SELECT", INQUIRY)
        .on("UPDATE", WORKER.DRAIN_REQUESTED_AT)
        .execute(
            "bound_scope", "scope_lock_key", "epoch_lock_key", "lock_exclusively", "lock_holders")
        .execute("list_scopes")
        .grants;
  }

  public static Set<Grant> retention() {
    return new ExpectedGrants()
        .execute("remove_finished_work", "remove_identities", "remove_workers")
        .grants;
  }

  private ExpectedGrants changesWork() {
    return on(
        "UPDATE",
        WORK.STATE,
        WORK.SUSPEND_REASON,
        WORK.REVISION,
        WORK.ATTEMPT,
        WORK.LEASE_GENERATION,
        WORK.LEASE_OWNER,
        WORK.SCOPE_GENERATION,
        WORK.EPOCH,
        WORK.CANCEL_REQUESTED_AT);
  }

  private ExpectedGrants all(String privilege, Table<?>... tables) {
    for (Table<?> table : tables) {
      for (Field<?> field : table.fields()) {
        grants.add(new Grant(privilege, table.getName(), field.getName()));
      }
    }
    return this;
  }

  private ExpectedGrants on(String privilege, TableField<?, ?>... columns) {
    for (TableField<?, ?> column : columns) {
      Table<?> table = Objects.requireNonNull(column.getTable(), "table");
      grants.add(new Grant(privilege, table.getName(), column.getName()));
    }
    return this;
  }

  private ExpectedGrants delete(Table<?> table) {
    grants.add(new Grant("DELETE", table.getName(), ""));
    return this;
  }

  private ExpectedGrants usage(Sequence<?> sequence) {
    grants.add(new Grant("USAGE", sequence.getName(), ""));
    return this;
  }

  private ExpectedGrants execute(String... functions) {
    for (String function : functions) {
      grants.add(new Grant("EXECUTE", function, ""));
    }
    return this;
  }
}
