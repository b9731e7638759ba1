package dev.handofffence.internal.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.Record;
import org.jooq.ResultQuery;
import org.jooq.SQLDialect;
import org.jooq.Select;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;

/**
 * One typed statement, rendered once for PostgreSQL whatever the caller's jOOQ settings are. Every
 * bind is a named parameter; constants are inlined. Immutable.
 */
final class Statement {

  /**
   * Marks parameters in the rendered text: cannot occur in SQL that jOOQ renders from our names.
   */
  private static final String MARK = "\u0001";

  private static final Pattern MARKED = Pattern.compile(MARK + "(\\w+)");

  private static final DSLContext RENDER =
      DSL.using(
          SQLDialect.POSTGRES,
          new Settings().withRenderFormatted(false).withRenderNamedParamPrefix(MARK));

  private final String text;
  private final List<String> parameters;
  private final List<Field<?>> columns;

  private Statement(String text, List<String> parameters, List<Field<?>> columns) {
    this.text = text;
    this.parameters = parameters;
    this.columns = columns;
  }

  /** Renders a statement whose rows, if any, are not wanted. */
  static Statement of(Query query) {
    return render(query, List.of());
  }

  /** Renders a query whose rows are wanted. */
  static Statement ofRows(ResultQuery<? extends Record> query) {
    // Not Select.fields(): they belong to a derived table, in which equal column names of a join
    // are ambiguous.
    List<Field<?>> columns =
        query instanceof Select<?> select
            ? List.of(select.getSelect().toArray(Field<?>[]::new))
            : List.of(query.fields());
    return render(query, columns);
  }

  /** Keeps a text without parameters and rows, such as SAVEPOINT. */
  static Statement ofText(String text) {
    return new Statement(text, List.of(), List.of());
  }

  private static Statement render(Query query, List<Field<?>> columns) {
    List<String> parameters = new ArrayList<>();
    Matcher marked = MARKED.matcher(RENDER.renderNamedParams(query));
    StringBuilder text = new StringBuilder();
    while (marked.find()) {
      String name = marked.group(1);
      if (Character.isDigit(name.charAt(0))) {
        throw new IllegalArgumentException(
            "Bind value " + name + " is neither a named parameter nor inlined: " + query);
      }
      parameters.add(name);
      marked.appendReplacement(text, "?");
    }
    return new Statement(marked.appendTail(text).toString(), List.copyOf(parameters), columns);
  }

  String text() {
    return text;
  }

  /** Names of the parameters, in the order of their question marks. */
  List<String> parameters() {
    return parameters;
  }

  /** Columns of the wanted rows; empty when none are wanted. */
  List<Field<?>> columns() {
    return columns;
  }
}
