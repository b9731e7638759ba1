package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.DISCOVER_INQUIRIES;
import static dev.handofffence.generated.Tables.INQUIRY;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.generated.Tables.WORK_SNAPSHOT;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.greatest;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.update;

import dev.handofffence.ActivityId;
import dev.handofffence.ScopeId;
import dev.handofffence.StoreIdentity;
import dev.handofffence.WorkId;
import dev.handofffence.generated.tables.DiscoverInquiries;
import dev.handofffence.generated.type.WorkState;
import dev.handofffence.internal.claim.Inquiry;
import dev.handofffence.internal.claim.Payload;
import dev.handofffence.internal.store.StoreRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Suspended Work about which a provider is asked: finding it, and taking it to ask about. */
public final class InquirySql {

  private static final String CONTRACT = "contract";
  private static final String VERSION = "version";
  private static final String AFTER_SCOPE = "after_scope";
  private static final String MAX_ROWS = "max_rows";

  private static final DiscoverInquiries DUE =
      DISCOVER_INQUIRIES(
          param(CONTRACT, SQLDataType.CLOB),
          param(VERSION, SQLDataType.CLOB),
          param(AFTER_SCOPE, SQLDataType.CLOB),
          param(MAX_ROWS, SQLDataType.INTEGER));

  private static final Script DISCOVERY =
      Script.of(Statement.ofRows(select(DUE.SCOPE_ID, DUE.WORK_ID).from(DUE)));

  /**
   * The row first, unless somebody has it or its scope: whether it is due still is judged when
   * nobody else can move it, and a runtime of another store or epoch moves nothing.
   */
  private static final Script TAKE =
      Script.of(
          StoreSql.LOCK_EPOCH_SHARED,
          StoreSql.READ_STORE,
          WorkLocks.BIND_AND_TRY_LOCK_SCOPE,
          WorkLocks.keep(
              select(INQUIRY.WORK_ID)
                  .from(INQUIRY)
                  .where(isTheOne())
                  .and(WorkLocks.scopeIsLocked())
                  .forUpdate()
                  .skipLocked()),
          Statement.ofRows(
              update(INQUIRY)
                  .set(INQUIRY.ASKED, INQUIRY.ASKED.plus(inline(1)))
                  .set(INQUIRY.DUE_AT, askedAgainAt())
                  .where(isTheOne())
                  .and(WorkLocks.isLocked(INQUIRY.WORK_ID))
                  .and(INQUIRY.EPOCH.eq(ClaimKeys.EPOCH_PARAM))
                  .and(INQUIRY.DUE_AT.le(Times.CLOCK))
                  .and(ClaimKeys.storeIsOurs())
                  .returning(INQUIRY.WORK_ID)),
          Statement.ofRows(
              select(
                      WORK.REVISION,
                      WORK.ATTEMPT,
                      WORK_SNAPSHOT.ACTIVITY_ID,
                      WORK_SNAPSHOT.CONTRACT_NAME,
                      WORK_SNAPSHOT.CONTRACT_VERSION,
                      WORK_SNAPSHOT.PAYLOAD_FORMAT,
                      WORK_SNAPSHOT.PAYLOAD,
                      WORK_SNAPSHOT.PAYLOAD_SHA256,
                      WORK_SNAPSHOT.LEASE_DURATION)
                  .from(WORK)
                  .join(WORK_SNAPSHOT)
                  .on(Policies.snapshotIsTheWorks())
                  .where(WORK.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
                  .and(WORK.WORK_ID.eq(FactsSql.WORK_ID_PARAM))
                  .and(WORK.EPOCH.eq(ClaimKeys.EPOCH_PARAM))
                  .and(WORK.STATE.eq(inline(WorkState.SUSPENDED, WORK.STATE.getDataType())))));

  private InquirySql() {}

  /** Names a Work about which may be asked. */
  public record Due(ScopeId scope, WorkId workId) {}

  /**
   * What was taken.
   *
   * @param store judge it first
   * @param inquiry null when it is no longer due, or somebody else has it
   */
  public record Taken(@Nullable StoreRow store, @Nullable Inquiry inquiry) {}

  /**
   * Returns what is due to be asked about, in the order of the scopes and a few of each.
   *
   * @param afterScope the last scope that was returned before; empty for the first
   * @param maxRows 1 to 1,000
   */
  public static List<Due> discover(
      Connection dispatcher, String contract, String version, String afterScope, int maxRows)
      throws SQLException {
    Binds binds =
        new Binds()
            .set(CONTRACT, contract)
            .set(VERSION, version)
            .set(AFTER_SCOPE, afterScope)
            .set(MAX_ROWS, maxRows);
    return new RoundTrip()
        .add(DISCOVERY, binds)
        .send(dispatcher, null)
        .get(0)
        .map(r -> new Due(ScopeId.of(r.get(DUE.SCOPE_ID)), new WorkId(r.get(DUE.WORK_ID))));
  }

  /**
   * Puts it off for the others, and reads what its reconciler needs; on a connection in autocommit
   * mode. Waits for nobody.
   */
  public static Taken take(Connection connection, StoreIdentity store, Due due)
      throws SQLException {
    Binds binds =
        FactsSql.keys(due.scope(), due.workId())
            .set(ClaimKeys.STORE_ID, store.storeId())
            .set(ClaimKeys.EPOCH, store.epoch());
    List<Rows> results = new RoundTrip().add(TAKE, binds).send(connection, null);
    boolean isTaken = !results.get(1).isEmpty() && !results.get(2).isEmpty();
    return new Taken(
        StoreSql.store(results.get(0)), isTaken ? inquiry(due, results.get(2).get(0)) : null);
  }

  private static Inquiry inquiry(Due due, Row row) {
    return new Inquiry(
        due.scope(),
        due.workId(),
        new ActivityId(row.get(WORK_SNAPSHOT.ACTIVITY_ID)),
        row.get(WORK_SNAPSHOT.CONTRACT_NAME),
        row.get(WORK_SNAPSHOT.CONTRACT_VERSION),
        new Payload(
            row.get(WORK_SNAPSHOT.PAYLOAD_FORMAT),
            row.get(WORK_SNAPSHOT.PAYLOAD),
            row.get(WORK_SNAPSHOT.PAYLOAD_SHA256)),
        row.get(WORK.ATTEMPT),
        row.get(WORK.REVISION),
        row.get(WORK_SNAPSHOT.LEASE_DURATION));
  }

  private static Condition isTheOne() {
    return INQUIRY
        .SCOPE_ID
        .eq(ScopeSql.SCOPE_ID_PARAM)
        .and(INQUIRY.WORK_ID.eq(FactsSql.WORK_ID_PARAM));
  }

  /** As late as the retry after so many attempts, and not while one lease's time may be needed. */
  private static Field<Instant> askedAgainAt() {
    return field(
        select(
                greatest(
                    Times.plusSeconds(Times.CLOCK, Policies.backoff(INQUIRY.ASKED.plus(inline(1)))),
                    Times.plus(Times.CLOCK, WORK_SNAPSHOT.LEASE_DURATION)))
            .from(WORK_SNAPSHOT)
            .where(WORK_SNAPSHOT.SCOPE_ID.eq(INQUIRY.SCOPE_ID))
            .and(WORK_SNAPSHOT.WORK_ID.eq(INQUIRY.WORK_ID)));
  }
}
