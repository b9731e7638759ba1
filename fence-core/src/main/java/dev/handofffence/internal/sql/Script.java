package dev.handofffence.internal.sql;

import java.util.List;
import java.util.stream.Collectors;

/** A fixed sequence of statements that is sent in one network round trip. Immutable. */
final class Script {

  private final List<Statement> statements;
  private final String text;
  private final List<String> parameters;

  private Script(List<Statement> statements) {
    this.statements = statements;
    this.text = statements.stream().map(Statement::text).collect(Collectors.joining(";\n"));
    this.parameters = statements.stream().flatMap(part -> part.parameters().stream()).toList();
  }

  static Script of(Statement... statements) {
    return new Script(List.of(statements));
  }

  List<Statement> statements() {
    return statements;
  }

  String text() {
    return text;
  }

  /** Names of the parameters of all statements, in the order of their question marks. */
  List<String> parameters() {
    return parameters;
  }
}
