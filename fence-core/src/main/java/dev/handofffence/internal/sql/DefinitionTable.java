package dev.handofffence.internal.sql;

import dev.handofffence.work.WorkDefinition;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jooq.Field;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** The definitions of some requests as a table: most batches have one, and it travels once. */
final class DefinitionTable {

  private static final String ALIAS = "defined";

  /** A definition and its place among those of the batch. */
  record Row(int number, WorkDefinition<?, ?> definition) {}

  static final ArrayColumn<Row, Integer> NUMBER =
      ArrayColumn.of(ALIAS, "number", SQLDataType.INTEGER, Row::number);
  static final ArrayColumn<Row, String> CONTRACT_NAME = text("contract_name", WorkDefinition::name);
  static final ArrayColumn<Row, String> CONTRACT_VERSION =
      text("contract_version", WorkDefinition::version);
  static final ArrayColumn<Row, String> PAYLOAD_FORMAT =
      text("payload_format", definition -> definition.payloadCodec().format());
  static final ArrayColumn<Row, String> PROVIDER_SAFETY =
      text(
          "provider_safety",
          definition -> definition.providerSafety().name().toLowerCase(Locale.ROOT));
  static final ArrayColumn<Row, Long> RETRY_INITIAL =
      micros("retry_initial", definition -> definition.retry().initialDelay());
  static final ArrayColumn<Row, Long> RETRY_MAXIMUM =
      micros("retry_maximum", definition -> definition.retry().maximumDelay());
  static final ArrayColumn<Row, Long> ELAPSED_HORIZON =
      micros("elapsed_horizon", definition -> definition.retry().elapsedHorizon().orElse(null));
  static final ArrayColumn<Row, Long> LEASE_DURATION =
      micros("lease_duration", definition -> definition.lease().duration());
  static final ArrayColumn<Row, Long> LEASE_MAX_LIFETIME =
      micros("lease_max_lifetime", definition -> definition.lease().maximumLifetime());

  private static final List<ArrayColumn<Row, ?>> COLUMNS =
      List.of(
          NUMBER,
          CONTRACT_NAME,
          CONTRACT_VERSION,
          PAYLOAD_FORMAT,
          PROVIDER_SAFETY,
          RETRY_INITIAL,
          RETRY_MAXIMUM,
          ELAPSED_HORIZON,
          LEASE_DURATION,
          LEASE_MAX_LIFETIME);

  static final Table<?> ROWS = ArrayColumn.rows(ALIAS, COLUMNS);

  /** The definition of a single request. */
  static final Table<?> ROW = ArrayColumn.row(ALIAS, COLUMNS);

  private DefinitionTable() {}

  static List<Field<?>> fields() {
    return COLUMNS.stream().<Field<?>>map(ArrayColumn::field).toList();
  }

  static void bind(Binds binds, List<Row> definitions) {
    COLUMNS.forEach(column -> column.bind(binds, definitions));
  }

  private static ArrayColumn<Row, String> text(
      String name, Function<WorkDefinition<?, ?>, String> value) {
    return ArrayColumn.of(ALIAS, name, SQLDataType.CLOB, row -> value.apply(row.definition()));
  }

  private static ArrayColumn<Row, Long> micros(
      String name, Function<WorkDefinition<?, ?>, @Nullable Duration> value) {
    return ArrayColumn.of(
        ALIAS, name, SQLDataType.BIGINT, row -> ArrayColumn.micros(value.apply(row.definition())));
  }
}
