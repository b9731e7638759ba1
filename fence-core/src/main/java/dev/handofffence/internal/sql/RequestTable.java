package dev.handofffence.internal.sql;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.rowsFrom;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;

import dev.handofffence.work.AttemptPlan;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkRequest;
import java.lang.reflect.Array;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one scope as a table of SQL: one array parameter per column, so that one and a
 * thousand requests are the same statement. Lengths of time travel as microseconds, because an
 * interval would be read in the session's style; what is shorter is cut off.
 */
final class RequestTable {

  private static final String ALIAS = "requested";

  /** One column: how SQL sees it and where its values come from. */
  record Column<T>(Field<T> field, Function<NewWork, ? extends @Nullable T> value) {

    Table<?> unnested() {
      // Not DSL.unnest, whose own alias is not allowed inside ROWS FROM.
      return table("unnest({0})", param(field.getName(), field.getDataType().array()));
    }

    /** What costs the server a set of rows of its own for each column is not needed for one row. */
    Field<T> first() {
      Field<?> values = param(field.getName(), field.getDataType().array());
      return DSL.field("({0})[1]", field.getDataType(), values).as(field.getName());
    }

    void bind(Binds binds, List<NewWork> works) {
      Object[] values = (Object[]) Array.newInstance(field.getType(), works.size());
      for (int i = 0; i < values.length; i++) {
        values[i] = value.apply(works.get(i));
      }
      binds.set(field.getName(), values);
    }
  }

  static final Column<Integer> POSITION =
      column("position", SQLDataType.INTEGER, NewWork::position);
  static final Column<UUID> WORK_ID = column("work_id", SQLDataType.UUID, NewWork::workId);
  static final Column<UUID> ACTIVITY_ID =
      column("activity_id", SQLDataType.UUID, NewWork::activityId);
  static final Column<String> COMMAND_ID =
      text("command_id", request -> request.commandId().value());
  static final Column<String> IDEMPOTENCY_KEY =
      text("idempotency_key", request -> request.idempotencyKey().value());
  static final Column<byte[]> FINGERPRINT =
      column("fingerprint", SQLDataType.BLOB, NewWork::fingerprint);
  static final Column<String> CONTRACT_NAME =
      text("contract_name", request -> request.definition().name());
  static final Column<String> CONTRACT_VERSION =
      text("contract_version", request -> request.definition().version());
  static final Column<String> PAYLOAD_FORMAT =
      text("payload_format", request -> request.definition().payloadCodec().format());
  static final Column<byte[]> PAYLOAD = column("payload", SQLDataType.BLOB, NewWork::payload);
  static final Column<byte[]> PAYLOAD_SHA256 =
      column("payload_sha256", SQLDataType.BLOB, NewWork::payloadSha256);
  static final Column<String> PROVIDER_SAFETY =
      text(
          "provider_safety",
          request -> request.definition().providerSafety().name().toLowerCase(Locale.ROOT));
  static final Column<Integer> PRIORITY =
      column("priority", SQLDataType.INTEGER, work -> work.request().priority());
  static final Column<Integer> MAX_ATTEMPTS =
      column("max_attempts", SQLDataType.INTEGER, work -> maxAttempts(work.request()));
  static final Column<Long> RETRY_INITIAL =
      micros("retry_initial", request -> request.definition().retry().initialDelay());
  static final Column<Long> RETRY_MAXIMUM =
      micros("retry_maximum", request -> request.definition().retry().maximumDelay());
  static final Column<Long> ELAPSED_HORIZON =
      micros(
          "elapsed_horizon", request -> request.definition().retry().elapsedHorizon().orElse(null));
  static final Column<Long> LEASE_DURATION =
      micros("lease_duration", request -> request.definition().lease().duration());
  static final Column<Long> LEASE_MAX_LIFETIME =
      micros("lease_max_lifetime", request -> request.definition().lease().maximumLifetime());
  static final Column<Long> DELAY = micros("delay", WorkRequest::delay);
  static final Column<Instant> DEADLINE =
      column("deadline", SQLDataType.INSTANT, work -> deadline(work.request()));
  static final Column<String> ATTEMPT_OFFSETS =
      text(
          "attempt_offsets",
          request -> request.attemptPlan().map(RequestTable::array).orElse(null));
  static final Column<Long> CIRCUIT_DURATION =
      micros(
          "circuit_duration",
          request -> request.attemptPlan().map(AttemptPlan::circuitDuration).orElse(null));

  private static final List<Column<?>> IDENTITY_COLUMNS =
      List.of(POSITION, COMMAND_ID, IDEMPOTENCY_KEY, FINGERPRINT);

  private static final List<Column<?>> COLUMNS =
      List.of(
          POSITION,
          WORK_ID,
          ACTIVITY_ID,
          COMMAND_ID,
          IDEMPOTENCY_KEY,
          FINGERPRINT,
          CONTRACT_NAME,
          CONTRACT_VERSION,
          PAYLOAD_FORMAT,
          PAYLOAD,
          PAYLOAD_SHA256,
          PROVIDER_SAFETY,
          PRIORITY,
          MAX_ATTEMPTS,
          RETRY_INITIAL,
          RETRY_MAXIMUM,
          ELAPSED_HORIZON,
          LEASE_DURATION,
          LEASE_MAX_LIFETIME,
          DELAY,
          DEADLINE,
          ATTEMPT_OFFSETS,
          CIRCUIT_DURATION);

  /** All columns. */
  static final Table<?> REQUESTED = rows(COLUMNS);

  /** The columns that tell one request from another, so that payloads are not sent twice. */
  static final Table<?> REQUESTED_IDENTITIES = rows(IDENTITY_COLUMNS);

  /** All columns of a single request. */
  static final Table<?> REQUEST = row(COLUMNS);

  /** See {@link #REQUESTED_IDENTITIES}. */
  static final Table<?> REQUEST_IDENTITY = row(IDENTITY_COLUMNS);

  private RequestTable() {}

  static List<Field<?>> fields() {
    return COLUMNS.stream().<Field<?>>map(Column::field).toList();
  }

  static void bind(Binds binds, List<NewWork> works) {
    COLUMNS.forEach(column -> column.bind(binds, works));
  }

  private static Table<?> rows(List<Column<?>> columns) {
    return rowsFrom(columns.stream().map(Column::unnested).toArray(Table<?>[]::new))
        .as(ALIAS, columns.stream().map(c -> c.field().getName()).toArray(String[]::new));
  }

  private static Table<?> row(List<Column<?>> columns) {
    return select(columns.stream().map(Column::first).toList()).asTable(ALIAS);
  }

  private static <T> Column<T> column(
      String name, DataType<T> type, Function<NewWork, ? extends @Nullable T> value) {
    return new Column<>(field(name(ALIAS, name), type), value);
  }

  private static Column<String> text(
      String name, Function<WorkRequest<?, ?>, @Nullable String> value) {
    return column(name, SQLDataType.CLOB, work -> value.apply(work.request()));
  }

  private static Column<Long> micros(
      String name, Function<WorkRequest<?, ?>, @Nullable Duration> value) {
    return column(name, SQLDataType.BIGINT, work -> micros(value.apply(work.request())));
  }

  private static @Nullable Long micros(@Nullable Duration length) {
    return length == null ? null : TimeUnit.MICROSECONDS.convert(length);
  }

  private static @Nullable Instant deadline(WorkRequest<?, ?> request) {
    return request.deadline().map(d -> d.truncatedTo(ChronoUnit.MICROS)).orElse(null);
  }

  private static int maxAttempts(WorkRequest<?, ?> request) {
    Optional<AttemptPlan> plan = request.attemptPlan();
    WorkDefinition<?, ?> definition = request.definition();
    return plan.map(p -> p.offsets().size()).orElseGet(() -> definition.retry().maxAttempts());
  }

  /** An array literal: arrays of arrays of different lengths do not exist in SQL. */
  private static String array(AttemptPlan plan) {
    return plan.offsets().stream()
        .map(offset -> String.valueOf(micros(offset)))
        .collect(Collectors.joining(",", "{", "}"));
  }
}
