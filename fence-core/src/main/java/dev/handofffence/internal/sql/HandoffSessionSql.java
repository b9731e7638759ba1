package dev.handofffence.internal.sql;

import static dev.handofffence.internal.sql.SessionSettings.ownSetting;
import static dev.handofffence.internal.sql.SessionSettings.set;
import static dev.handofffence.internal.sql.SessionSettings.setLocally;
import static dev.handofffence.internal.sql.SessionSettings.setting;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import java.util.List;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.impl.SQLDataType;

/** The caller's session: what a handoff reads of it, and the two settings it lends to it. */
final class HandoffSessionSql {

  private static final String PRIOR_SCOPE = "prior_scope";
  private static final String PRIOR_MARKER = "prior_marker";

  private static final String MARK = "mark";

  static final String SCOPE_SETTING = "durable.scope_id";
  private static final String MARKER_SETTING = "durable.handoff";

  private static final Param<String> PRIOR_SCOPE_PARAM = param(PRIOR_SCOPE, SQLDataType.VARCHAR);
  private static final Param<String> PRIOR_MARKER_PARAM = param(PRIOR_MARKER, SQLDataType.VARCHAR);

  private static final Param<String> MARK_PARAM = param(MARK, SQLDataType.VARCHAR);

  private static final Field<String> SCOPE = ownSetting(SCOPE_SETTING).as("scope");
  private static final Field<String> MARKER = ownSetting(MARKER_SETTING).as("marker");
  private static final Field<String> USER =
      field("current_user", SQLDataType.VARCHAR).as("role_name");
  private static final Field<String> SESSION_USER =
      field("session_user", SQLDataType.VARCHAR).as("session_role_name");
  private static final Field<String> SEARCH_PATH = setting("search_path").as("path");
  private static final Field<String> ISOLATION = setting("transaction_isolation").as("isolation");
  private static final Field<String> READ_ONLY = setting("transaction_read_only").as("read_only");
  private static final Field<String> SYNCHRONOUS_COMMIT =
      setting("synchronous_commit").as("synchronous");

  private static final Field<Long> TRANSACTION_ID =
      coalesce(TransactionIdSql.ifAssigned(), inline(0L)).as("transaction_id");

  static final Statement READ =
      Statement.ofRows(
          select(
              SCOPE,
              MARKER,
              USER,
              SESSION_USER,
              SEARCH_PATH,
              ISOLATION,
              READ_ONLY,
              SYNCHRONOUS_COMMIT,
              TRANSACTION_ID));

  static final Statement MARK_CALLBACK =
      Statement.of(select(setLocally(MARKER_SETTING, MARK_PARAM)));

  /** After a rollback to a savepoint of the fence the marker is as it was before the call. */
  static final Statement READ_MARKER = Statement.ofRows(select(MARKER, TRANSACTION_ID));

  /** After a rollback to the callback's savepoint, which has reverted the marker. */
  static final Statement RESTORE_SCOPE =
      Statement.of(select(setLocally(SCOPE_SETTING, PRIOR_SCOPE_PARAM)));

  /**
   * Where the caller had no scope, its session gets none either: a callback may have set the
   * fence's scope for the session, which looks the same and would stay on a pooled connection.
   */
  static final Statement RESTORE_SCOPE_AND_MARKER =
      Statement.of(
          select(
              set(SCOPE_SETTING, PRIOR_SCOPE_PARAM, field(PRIOR_SCOPE_PARAM.ne(inline("")))),
              setLocally(MARKER_SETTING, PRIOR_MARKER_PARAM)));

  private HandoffSessionSql() {}

  static Binds bind(Binds binds, HandoffSession prior) {
    return binds.set(PRIOR_SCOPE, prior.scope()).set(PRIOR_MARKER, prior.marker());
  }

  /**
   * Gives the call's marker, which no other call has.
   *
   * @param mark what the callback must still find when it returns
   */
  static Binds bindMark(Binds binds, String mark) {
    return binds.set(MARK, mark);
  }

  /** Whether a rollback has led back to before the callback, and in the same transaction. */
  static boolean isBeforeCallback(Rows rows, HandoffFacts entry) {
    Row row = rows.get(0);
    return row.get(MARKER).equals(entry.session().marker())
        && row.get(TRANSACTION_ID) == entry.transactionId();
  }

  static HandoffSession session(Rows rows) {
    List<HandoffSession> sessions =
        rows.map(
            r ->
                new HandoffSession(
                    r.get(SCOPE),
                    r.get(MARKER),
                    r.get(USER),
                    r.get(SESSION_USER),
                    r.get(SEARCH_PATH),
                    r.get(ISOLATION),
                    r.get(READ_ONLY),
                    r.get(SYNCHRONOUS_COMMIT),
                    r.get(TRANSACTION_ID)));
    return sessions.get(0);
  }
}
