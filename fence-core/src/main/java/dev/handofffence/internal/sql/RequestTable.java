package dev.handofffence.internal.sql;

import dev.handofffence.work.AttemptPlan;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** The requests of some scopes as a table. */
final class RequestTable {

  private static final String ALIAS = "requested";

  /** A request with the places of its scope and its definition in their tables. */
  record Row(NewWork work, int scope, int definition) {}

  static final ArrayColumn<Row, Integer> POSITION =
      column("position", SQLDataType.INTEGER, NewWork::position);
  static final ArrayColumn<Row, Integer> SCOPE =
      ArrayColumn.of(ALIAS, "scope", SQLDataType.INTEGER, Row::scope);
  static final ArrayColumn<Row, Integer> DEFINITION =
      ArrayColumn.of(ALIAS, "definition", SQLDataType.INTEGER, Row::definition);
  static final ArrayColumn<Row, UUID> WORK_ID =
      column("work_id", SQLDataType.UUID, NewWork::workId);
  static final ArrayColumn<Row, UUID> ACTIVITY_ID =
      column("activity_id", SQLDataType.UUID, NewWork::activityId);
  static final ArrayColumn<Row, String> COMMAND_ID =
      text("command_id", request -> request.commandId().value());
  static final ArrayColumn<Row, String> IDEMPOTENCY_KEY =
      text("idempotency_key", request -> request.idempotencyKey().value());
  static final ArrayColumn<Row, byte[]> FINGERPRINT =
      column("fingerprint", SQLDataType.BLOB, NewWork::fingerprint);
  static final ArrayColumn<Row, byte[]> PAYLOAD =
      column("payload", SQLDataType.BLOB, NewWork::payload);
  static final ArrayColumn<Row, byte[]> PAYLOAD_SHA256 =
      column("payload_sha256", SQLDataType.BLOB, NewWork::payloadSha256);
  static final ArrayColumn<Row, Integer> PRIORITY =
      column("priority", SQLDataType.INTEGER, work -> work.request().priority());
  static final ArrayColumn<Row, Integer> MAX_ATTEMPTS =
      column("max_attempts", SQLDataType.INTEGER, work -> maxAttempts(work.request()));
  static final ArrayColumn<Row, Long> DELAY = micros("delay", WorkRequest::delay);
  static final ArrayColumn<Row, Instant> DEADLINE =
      column("deadline", SQLDataType.INSTANT, work -> deadline(work.request()));
  static final ArrayColumn<Row, String> ATTEMPT_OFFSETS =
      text(
          "attempt_offsets",
          request -> request.attemptPlan().map(RequestTable::array).orElse(null));
  static final ArrayColumn<Row, Long> CIRCUIT_DURATION =
      micros(
          "circuit_duration",
          request -> request.attemptPlan().map(AttemptPlan::circuitDuration).orElse(null));

  private static final List<ArrayColumn<Row, ?>> IDENTITY_COLUMNS =
      List.of(POSITION, SCOPE, COMMAND_ID, IDEMPOTENCY_KEY, FINGERPRINT);

  private static final List<ArrayColumn<Row, ?>> COLUMNS =
      List.of(
          POSITION,
          SCOPE,
          DEFINITION,
          WORK_ID,
          ACTIVITY_ID,
          COMMAND_ID,
          IDEMPOTENCY_KEY,
          FINGERPRINT,
          PAYLOAD,
          PAYLOAD_SHA256,
          PRIORITY,
          MAX_ATTEMPTS,
          DELAY,
          DEADLINE,
          ATTEMPT_OFFSETS,
          CIRCUIT_DURATION);

  /** All columns. */
  static final Table<?> REQUESTED = ArrayColumn.rows(ALIAS, COLUMNS);

  /** The columns that tell one request from another, so that payloads are not sent twice. */
  static final Table<?> REQUESTED_IDENTITIES = ArrayColumn.rows(ALIAS, IDENTITY_COLUMNS);

  /** All columns of a single request. */
  static final Table<?> REQUEST = ArrayColumn.row(ALIAS, COLUMNS);

  private RequestTable() {}

  static List<Field<?>> fields() {
    return COLUMNS.stream().<Field<?>>map(ArrayColumn::field).toList();
  }

  static void bind(Binds binds, List<Row> requests) {
    COLUMNS.forEach(column -> column.bind(binds, requests));
  }

  private static <T> ArrayColumn<Row, T> column(
      String name, DataType<T> type, Function<NewWork, ? extends @Nullable T> value) {
    return ArrayColumn.of(ALIAS, name, type, row -> value.apply(row.work()));
  }

  private static ArrayColumn<Row, String> text(
      String name, Function<WorkRequest<?, ?>, @Nullable String> value) {
    return column(name, SQLDataType.CLOB, work -> value.apply(work.request()));
  }

  private static ArrayColumn<Row, Long> micros(
      String name, Function<WorkRequest<?, ?>, @Nullable Duration> value) {
    return column(
        name, SQLDataType.BIGINT, work -> ArrayColumn.micros(value.apply(work.request())));
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
        .map(offset -> String.valueOf(ArrayColumn.micros(offset)))
        .collect(Collectors.joining(",", "{", "}"));
  }
}
