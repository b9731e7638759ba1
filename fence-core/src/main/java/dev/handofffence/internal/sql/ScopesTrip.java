package dev.handofffence.internal.sql;

import dev.handofffence.ScopeId;
import dev.handofffence.internal.store.StoreRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import org.jooq.Record;
import org.jooq.Result;
import org.jspecify.annotations.Nullable;

/**
 * One round trip over several scopes, which is one transaction on a connection in autocommit mode:
 * epoch and store first, then the same script once per scope, in the global order of scopes.
 */
final class ScopesTrip {

  private final Script prelude;
  private final Script perScope;

  /**
   * Keeps the scripts.
   *
   * @param prelude has the store's row as its only result
   */
  ScopesTrip(Script prelude, Script perScope) {
    this.prelude = prelude;
    this.perScope = perScope;
  }

  /**
   * Sends as few trips as hold all scopes, each its own transaction: one unless there are many
   * scopes. The store's row is that of the last one.
   */
  Reply send(Connection connection, List<Binds> scopes) throws SQLException {
    int most = RoundTrip.MOST_SCRIPTS_PREPARED - 1;
    List<List<Result<Record>>> replies = new ArrayList<>();
    StoreRow store = null;
    for (int from = 0; from < scopes.size(); from += most) {
      Reply reply = sendOne(connection, scopes.subList(from, Math.min(from + most, scopes.size())));
      store = reply.store();
      replies.addAll(reply.scopes());
    }
    return new Reply(store, replies);
  }

  private Reply sendOne(Connection connection, List<Binds> scopes) throws SQLException {
    RoundTrip trip = new RoundTrip().add(prelude, new Binds());
    scopes.forEach(binds -> trip.add(perScope, binds));
    List<Result<Record>> results = trip.sendAgainAndAgain(connection);
    return new Reply(StoreSql.store(results.get(0)), chunks(results, scopes.size()));
  }

  /** Returns the values in groups of one scope, in the global order of scopes. */
  static <T> List<List<T>> byScope(Collection<T> values, Function<T, ScopeId> scope) {
    TreeMap<ScopeId, List<T>> groups = new TreeMap<>(Comparator.comparing(ScopeId::value));
    values.forEach(v -> groups.computeIfAbsent(scope.apply(v), s -> new ArrayList<>()).add(v));
    return List.copyOf(groups.values());
  }

  private static List<List<Result<Record>>> chunks(List<Result<Record>> results, int scopes) {
    int each = (results.size() - 1) / scopes;
    List<List<Result<Record>>> chunks = new ArrayList<>();
    for (int i = 0; i < scopes; i++) {
      chunks.add(results.subList(1 + i * each, 1 + (i + 1) * each));
    }
    return chunks;
  }

  /** The store's row, and the results of every scope's script. */
  record Reply(@Nullable StoreRow store, List<List<Result<Record>>> scopes) {}
}
