package dev.handofffence.internal.sql;

import dev.handofffence.work.WorkDefinition;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.SortedMap;

/** Gives the scopes and the definitions of some requests their numbers. */
final class RequestRows {

  private final List<ScopeTable.Row> scopes = new ArrayList<>();
  private final List<DefinitionTable.Row> definitions = new ArrayList<>();
  private final List<RequestTable.Row> requests = new ArrayList<>();

  /** Definitions are few and kept: what is equal and not the same travels twice. */
  private final IdentityHashMap<WorkDefinition<?, ?>, Integer> numbers = new IdentityHashMap<>();

  /**
   * Numbers them.
   *
   * @param works by scope id, in the order of locks
   */
  RequestRows(SortedMap<String, List<NewWork>> works) {
    works.forEach(
        (scope, ofScope) -> {
          int number = scopes.size();
          scopes.add(new ScopeTable.Row(number, scope));
          ofScope.forEach(work -> requests.add(row(number, work)));
        });
  }

  void bind(Binds binds) {
    ScopeTable.bind(binds, scopes);
    DefinitionTable.bind(binds, definitions);
    RequestTable.bind(binds, requests);
  }

  private RequestTable.Row row(int scope, NewWork work) {
    int definition = numbers.computeIfAbsent(work.request().definition(), this::add);
    return new RequestTable.Row(work, scope, definition);
  }

  private int add(WorkDefinition<?, ?> definition) {
    definitions.add(new DefinitionTable.Row(definitions.size(), definition));
    return definitions.size() - 1;
  }
}
