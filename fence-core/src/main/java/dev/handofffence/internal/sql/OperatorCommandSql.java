package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.OPERATOR_COMMAND;
import static dev.handofffence.generated.Tables.WORK;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.nullif;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import org.jooq.Field;
import org.jooq.Param;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** The memory of commands: what makes repeating one harmless. */
final class OperatorCommandSql {

  static final String COMMAND_ID = "command_id";
  static final String OUTCOME = "outcome";
  static final String AFFECTED = "affected";
  static final String RESULTING_REVISION = "resulting_revision";

  static final Param<String> KIND_PARAM = param("kind", SQLDataType.CLOB);
  static final Param<String> ACTOR_PARAM = param("actor", SQLDataType.CLOB);
  static final Param<String> REASON_PARAM = param("reason", SQLDataType.CLOB);

  private static final Param<String> COMMAND_ID_PARAM = param(COMMAND_ID, SQLDataType.CLOB);
  private static final Param<byte[]> FINGERPRINT = param("fingerprint", SQLDataType.BLOB);
  private static final Param<Long> EXPECTED = param("expected_revision", SQLDataType.BIGINT);
  private static final Param<String> OUTCOME_PARAM = param(OUTCOME, SQLDataType.CLOB);

  /** No Work has it: binds cannot be null. */
  private static final long NO_REVISION = -1;

  private static final Field<Long> REVISION =
      coalesce(OPERATOR_COMMAND.RESULTING_REVISION, inline(0L)).as("revision");
  private static final Field<Long> AFFECTED_WORKS =
      coalesce(OPERATOR_COMMAND.AFFECTED, inline(0L)).as("affected_works");

  /** After the locks: whoever carried out the same command before has committed by then. */
  static final Statement READ =
      Statement.ofRows(
          select(OPERATOR_COMMAND.FINGERPRINT, OPERATOR_COMMAND.OUTCOME, REVISION, AFFECTED_WORKS)
              .from(OPERATOR_COMMAND)
              .where(OPERATOR_COMMAND.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
              .and(OPERATOR_COMMAND.COMMAND_ID.eq(COMMAND_ID_PARAM)));

  /** With the revision that the Work has by now. */
  static final Statement RECORD_ABOUT_WORK =
      Statement.of(
          insertInto(
                  OPERATOR_COMMAND,
                  OPERATOR_COMMAND.SCOPE_ID,
                  OPERATOR_COMMAND.COMMAND_ID,
                  OPERATOR_COMMAND.FINGERPRINT,
                  OPERATOR_COMMAND.KIND,
                  OPERATOR_COMMAND.WORK_ID,
                  OPERATOR_COMMAND.EXPECTED_REVISION,
                  OPERATOR_COMMAND.ACTOR,
                  OPERATOR_COMMAND.REASON,
                  OPERATOR_COMMAND.OUTCOME,
                  OPERATOR_COMMAND.RESULTING_REVISION)
              .select(
                  select(
                          WORK.SCOPE_ID,
                          COMMAND_ID_PARAM,
                          FINGERPRINT,
                          KIND_PARAM,
                          WORK.WORK_ID,
                          nullif(EXPECTED, inline(NO_REVISION)),
                          ACTOR_PARAM,
                          REASON_PARAM,
                          OUTCOME_PARAM,
                          WORK.REVISION)
                      .from(WORK)
                      .where(WORK.SCOPE_ID.eq(ScopeSql.SCOPE_ID_PARAM))
                      .and(WORK.WORK_ID.eq(FactsSql.WORK_ID_PARAM))));

  static final Statement RECORD_ABOUT_SCOPE =
      Statement.of(
          insertInto(
                  OPERATOR_COMMAND,
                  OPERATOR_COMMAND.SCOPE_ID,
                  OPERATOR_COMMAND.COMMAND_ID,
                  OPERATOR_COMMAND.FINGERPRINT,
                  OPERATOR_COMMAND.KIND,
                  OPERATOR_COMMAND.ACTOR,
                  OPERATOR_COMMAND.REASON,
                  OPERATOR_COMMAND.OUTCOME,
                  OPERATOR_COMMAND.RESULTING_REVISION,
                  OPERATOR_COMMAND.AFFECTED)
              .values(
                  ScopeSql.SCOPE_ID_PARAM,
                  COMMAND_ID_PARAM,
                  FINGERPRINT,
                  KIND_PARAM,
                  ACTOR_PARAM,
                  REASON_PARAM,
                  OUTCOME_PARAM,
                  param(RESULTING_REVISION, SQLDataType.BIGINT),
                  param(AFFECTED, SQLDataType.BIGINT)));

  private OperatorCommandSql() {}

  static Binds binds(CommandRecord command) {
    Binds binds =
        new Binds()
            .set(ScopeSql.SCOPE_ID, command.scope().value())
            .set(COMMAND_ID, command.id().value())
            .set("fingerprint", command.fingerprint())
            .set("kind", command.kind().text())
            .set("expected_revision", command.expectedRevision().orElse(NO_REVISION))
            .set("actor", command.actor())
            .set("reason", command.reason());
    if (command.workId() != null) {
      binds.set(FactsSql.WORK_ID, command.workId().value());
    }
    return binds;
  }

  /** Returns what {@link #READ} found; null when the command is new. */
  static @Nullable PerformedCommand performed(Rows rows) {
    if (rows.isEmpty()) {
      return null;
    }
    Row row = rows.get(0);
    return new PerformedCommand(
        row.get(OPERATOR_COMMAND.FINGERPRINT),
        row.get(OPERATOR_COMMAND.OUTCOME),
        row.get(REVISION),
        row.get(AFFECTED_WORKS));
  }
}
