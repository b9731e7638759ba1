package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.DISPATCH;
import static dev.handofffence.generated.Tables.PERMIT;
import static dev.handofffence.generated.Tables.SCOPE;
import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.generated.Tables.WORK_SNAPSHOT;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.Condition;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.Record1;
import org.jooq.Select;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * The rows of a batch that this transaction has locked, by key and without waiting, and where they
 * are. The later statements, that judge and write, find them at their place ({@code ctid}), which
 * no one can change before this transaction ends: a row that is locked, one that a lock of this
 * transaction keeps, and one that never changes, stays where it is.
 *
 * <p>So no plan of theirs depends on statistics, which for a queue are always of another time: what
 * was planned while a table was empty would otherwise read all of a tenant's rows when it is full.
 * Were a row elsewhere nevertheless, it would not be found: nothing is done with it.
 */
final class HeldRows {

  /** Place of a row in the {@link Batch}. */
  static final Field<Integer> NUMBER = held("number", SQLDataType.INTEGER);

  /** Rows of the scope are not locked: the scope's own lock, which is held, keeps them. */
  static final Field<Object> SCOPE_AT = held("scope_at", SQLDataType.OTHER);

  static final Field<Object> WORK_AT = held("work_at", SQLDataType.OTHER);
  static final Field<Object> DISPATCH_AT = held("dispatch_at", SQLDataType.OTHER);

  /**
   * Rows of permits are not locked: whoever writes one holds its Work's lock, as this transaction
   * does from here on. A permit that was written between the beginning of the locking statement and
   * the lock is no longer where that statement saw it, so it is not found.
   */
  static final Field<Object> PERMIT_AT = held("permit_at", SQLDataType.OTHER);

  /** Rows of the snapshot never change. */
  static final Field<Object> SNAPSHOT_AT = held("snapshot_at", SQLDataType.OTHER);

  private static final Param<String[]> SCOPE_IDS = param(Batch.SCOPE_IDS, SQLDataType.CLOB.array());
  private static final Param<UUID[]> WORK_IDS = param(Batch.WORK_IDS, SQLDataType.UUID.array());
  private static final Param<Long[]> LEASE_GENERATIONS =
      param(Batch.LEASE_GENERATIONS, SQLDataType.BIGINT.array());

  private static final Field<Integer> GIVEN_NUMBER = given("number", SQLDataType.INTEGER);
  private static final Field<String> GIVEN_SCOPE = given("scope_id", SQLDataType.CLOB);
  private static final Field<UUID> GIVEN_WORK = given("work_id", SQLDataType.UUID);
  private static final Table<?> GIVEN =
      DSL.table("unnest({0}, {1}) with ordinality", SCOPE_IDS, WORK_IDS)
          .as("given", "scope_id", "work_id", "number");

  private static final Part SCOPE_ROW =
      new Part(
          "scope_at",
          select(placeOf(SCOPE).as("at"))
              .from(SCOPE)
              .where(SCOPE.SCOPE_ID.eq(GIVEN_SCOPE))
              .limit(inline(1)));
  private static final Part WORK_ROW =
      new Part(
          "work_at",
          select(placeOf(WORK).as("at"))
              .from(WORK)
              .where(WORK.SCOPE_ID.eq(GIVEN_SCOPE))
              .and(WORK.WORK_ID.eq(GIVEN_WORK))
              .forNoKeyUpdate()
              .skipLocked());
  private static final Part DISPATCH_ROW =
      new Part(
          "dispatch_at",
          select(placeOf(DISPATCH).as("at"))
              .from(DISPATCH)
              .where(DISPATCH.SCOPE_ID.eq(GIVEN_SCOPE))
              .and(DISPATCH.WORK_ID.eq(GIVEN_WORK))
              .forNoKeyUpdate()
              .skipLocked());
  private static final Part PERMIT_ROW =
      new Part(
          "permit_at",
          select(placeOf(PERMIT).as("at"))
              .from(PERMIT)
              .where(PERMIT.SCOPE_ID.eq(GIVEN_SCOPE))
              .and(PERMIT.WORK_ID.eq(GIVEN_WORK))
              .and(PERMIT.LEASE_GENERATION.eq(numbered(LEASE_GENERATIONS, GIVEN_NUMBER)))
              .limit(inline(1)));
  private static final Part SNAPSHOT_ROW =
      new Part(
          "snapshot_at",
          select(placeOf(WORK_SNAPSHOT).as("at"))
              .from(WORK_SNAPSHOT)
              .where(WORK_SNAPSHOT.SCOPE_ID.eq(GIVEN_SCOPE))
              .and(WORK_SNAPSHOT.WORK_ID.eq(GIVEN_WORK))
              .limit(inline(1)));

  /** For a claim. */
  static final HeldRows OF_WORK = new HeldRows(SCOPE_ROW, SNAPSHOT_ROW, WORK_ROW, DISPATCH_ROW);

  /** For a completion: with the permit of the claim. */
  static final HeldRows OF_WORK_AND_PERMIT =
      new HeldRows(SCOPE_ROW, SNAPSHOT_ROW, WORK_ROW, DISPATCH_ROW, PERMIT_ROW);

  /** For a renewal: it must pass while a handoff holds the Work. */
  static final HeldRows OF_DISPATCH = new HeldRows(DISPATCH_ROW);

  private final List<Part> parts;

  private HeldRows(Part... parts) {
    this.parts = List.of(parts);
  }

  /** Locks what is free, and remembers it for the statements after it. */
  Statement lock() {
    Select<?> locking =
        select(numbersAndPlaces())
            .from(
                Stream.concat(Stream.of(GIVEN), parts.stream().map(part -> lateral(part.asTable())))
                    .toList())
            .where(BatchTrip.isLocked(GIVEN_SCOPE));
    return Statement.of(
        select(names().map(HeldRows::keep).collect(Collectors.toList()))
            .from(locking.asTable("locked")));
  }

  /** What was locked, for the FROM of a later statement. */
  Table<?> table() {
    Field<?>[] arrays = names().map(HeldRows::kept).toArray(Field<?>[]::new);
    String template =
        Stream.iterate(0, i -> i + 1)
            .limit(arrays.length)
            .map(i -> "{" + i + "}")
            .collect(Collectors.joining(", ", "unnest(", ")"));
    return DSL.table(template, (Object[]) arrays).as("held", names().toArray(String[]::new));
  }

  /** Whether a row of the batch was locked. */
  static Condition isHeld(Field<Integer> number) {
    Field<?> held = field(select(kept(NUMBER.getName())));
    return DSL.condition("{0} = any({1}::integer[])", number, held);
  }

  /** Holds for the row at that place. */
  static Condition isAt(Table<?> table, Field<Object> place) {
    return placeOf(table).eq(place);
  }

  /** The place in a step of the statement that returned it. */
  static Field<Object> of(String step, Field<Object> place) {
    return field(name(step, place.getName()), SQLDataType.OTHER);
  }

  /** The value of the batch that belongs to a held row. */
  static <T> Field<T> numbered(Param<T[]> array, DataType<T> type) {
    return field("({0})[{1}]", type, array, NUMBER);
  }

  /**
   * Holds when a column has the value of the batch. Not an equality, for which the server could
   * think of other ways to the row than its place.
   */
  static <T> Condition isNumbered(Field<T> column, Param<T[]> array) {
    return column.isNotDistinctFrom(numbered(array, column.getDataType()));
  }

  private static Field<Long> numbered(Param<Long[]> array, Field<Integer> number) {
    return field("({0})[{1}]", SQLDataType.BIGINT, array, number);
  }

  private Stream<String> names() {
    return Stream.concat(Stream.of(NUMBER.getName()), parts.stream().map(Part::name));
  }

  private List<Field<?>> numbersAndPlaces() {
    List<Field<?>> fields = new ArrayList<>();
    fields.add(GIVEN_NUMBER);
    parts.forEach(part -> fields.add(part.at()));
    return fields;
  }

  private static Field<String> keep(String column) {
    Field<Object> values = field(name("locked", column), SQLDataType.OTHER);
    return Settings.set(
        setting(column), coalesce(DSL.arrayAgg(values).cast(SQLDataType.CLOB), inline("{}")));
  }

  private static Field<Object> kept(String column) {
    String type = column.equals(NUMBER.getName()) ? "integer[]" : "tid[]";
    return field("{0}::" + type, SQLDataType.OTHER, Settings.current(setting(column)));
  }

  private static String setting(String column) {
    return "durable.held_" + column;
  }

  /** The place of a row that this statement reads. */
  static Field<Object> placeOf(Table<?> table) {
    return field(table.getQualifiedName().append("ctid"), SQLDataType.OTHER);
  }

  private static <T> Field<T> held(String column, DataType<T> type) {
    return field(name("held", column), type);
  }

  private static <T> Field<T> given(String column, DataType<T> type) {
    return field(name("given", column), type);
  }

  /**
   * One row of each given Work: a subquery of its own, with a lock or a limit, which the server
   * cannot turn into a join that begins with the table.
   */
  private record Part(String name, Select<Record1<Object>> row) {

    Table<?> asTable() {
      return row.asTable(name);
    }

    Field<Object> at() {
      return field(DSL.name(name, "at"), SQLDataType.OTHER).as(name);
    }
  }
}
