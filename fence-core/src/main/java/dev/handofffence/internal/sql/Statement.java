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
import org.jspecify.annotations.Nullable;

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
  private final @Nullable RowDecoder rows;

  private Statement(String text, List<String> parameters, @Nullable RowDecoder rows) {
    this.text = text;
    this.parameters = parameters;
    this.rows = rows;
  }

  /** Renders a statement whose rows, if any, are not wanted. */
  static Statement of(Query query) {
    return render(query, null);
  }

  /** Renders a query whose rows are wanted. */
  static Statement ofRows(ResultQuery<? extends Record> query) {
    // Not Select.fields(): they belong to a derived table, in which equal column names of a join
    // are ambiguous.
    List<? extends Field<?>> columns =
        query instanceof Select<?> select ? select.getSelect() : List.of(query.fields());
    return render(query, new RowDecoder(columns));
  }

  /** Keeps a text without parameters and rows, such as SAVEPOINT. */
  static Statement ofText(String text) {
    return new Statement(text, List.of(), null);
  }

  private static Statement render(Query query, @Nullable RowDecoder rows) {
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
    return new Statement(marked.appendTail(text).toString(), List.copyOf(parameters), rows);
  }

  String text() {
    return text;
  }

  /** Names of the parameters, in the order of their question marks. */
  List<String> parameters() {
    return parameters;
  }

  /** Reads the rows; null when none are wanted. */
  @Nullable RowDecoder rows() {
    return rows;
  }
}
