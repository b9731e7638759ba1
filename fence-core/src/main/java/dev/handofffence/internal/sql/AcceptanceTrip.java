package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.SCOPE;

import dev.handofffence.StoreIdentity;
import dev.handofffence.internal.sql.AcceptanceAnswer.KnownIdentity;
import dev.handofffence.internal.sql.AcceptanceAnswer.ScopeAnswer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.jooq.Record;
import org.jooq.Result;

/** One round trip that accepts the requests of some scopes, or finds out why not. */
public final class AcceptanceTrip {

  private static final Script ENTER_CALLERS =
      Script.of(
          AcceptanceSql.SAVEPOINT,
          AcceptanceSql.REMEMBER_CALLER,
          AcceptanceSql.LOCK_EPOCH,
          StoreSql.READ_STORE);
  private static final Script LEAVE_CALLERS =
      Script.of(AcceptanceSql.RESTORE_CALLER, AcceptanceSql.RELEASE);
  private static final Script WAKE = Script.of(WakeSql.NOTIFY_IF_IDLE);
  private static final Script UNDO = Script.of(AcceptanceSql.ROLL_BACK, AcceptanceSql.RELEASE);

  private static final Script ENTER_OWN =
      Script.of(
          StoreSql.COMMIT_DURABLY_WITH_KEPT_PLANS,
          AcceptanceSql.REMEMBER_CALLER,
          AcceptanceSql.LOCK_EPOCH,
          StoreSql.READ_STORE);

  private static final Accept ACCEPT =
      new Accept(AcceptanceSql.BIND_SCOPE, AcceptanceSql.LOCK_SCOPE, AcceptanceSql.READ_SCOPE);
  private static final Accept ACCEPT_FIRST =
      new Accept(
          AcceptanceSql.BIND_SCOPE,
          AcceptanceSql.USE_FIRST,
          AcceptanceSql.LOCK_SCOPE,
          AcceptanceSql.READ_SCOPE);

  private final StoreIdentity store;
  private final SortedMap<String, List<NewWork>> requests;
  private final Accept accept;
  private final boolean wakesHosts;

  private AcceptanceTrip(
      StoreIdentity store,
      SortedMap<String, List<NewWork>> requests,
      Accept accept,
      boolean wakesHosts) {
    this.store = store;
    this.requests = requests;
    this.accept = accept;
    this.wakesHosts = wakesHosts;
  }

  /**
   * Returns the trip for scopes that are thought to exist; it writes nothing in those that do not.
   *
   * @param requests by scope id, whose order is the order of locks
   */
  public static AcceptanceTrip into(
      StoreIdentity store, SortedMap<String, List<NewWork>> requests) {
    return new AcceptanceTrip(store, requests, ACCEPT, false);
  }

  /** Returns the trip that creates its scopes when they are still absent. */
  public static AcceptanceTrip firstInto(
      StoreIdentity store, SortedMap<String, List<NewWork>> requests) {
    return new AcceptanceTrip(store, requests, ACCEPT_FIRST, false);
  }

  /** Returns the same trip, whose commit notifies the worker hosts when one of them is idle. */
  public AcceptanceTrip wakingHosts() {
    return new AcceptanceTrip(store, requests, accept, true);
  }

  /** Sends it on an autocommit connection, as one transaction that has then committed. */
  public AcceptanceAnswer sendInOwnTransaction(Connection connection) throws SQLException {
    RoundTrip trip = new RoundTrip().add(ENTER_OWN, new Binds());
    return decode(addScopes(trip).send(connection, null));
  }

  /**
   * Sends it inside the caller's transaction. A failure takes back what the trip did, where
   * PostgreSQL allows it.
   */
  public AcceptanceAnswer sendInCallersTransaction(Connection connection) throws SQLException {
    RoundTrip trip = new RoundTrip().add(ENTER_CALLERS, new Binds());
    addScopes(trip).add(LEAVE_CALLERS, new Binds());
    try {
      return decode(trip.send(connection, null));
    } catch (SQLException e) {
      undo(connection, e);
      throw e;
    }
  }

  private static void undo(Connection connection, SQLException failure) {
    try {
      new RoundTrip().add(UNDO, new Binds()).send(connection, null);
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  private RoundTrip addScopes(RoundTrip trip) {
    requests.forEach((scope, works) -> trip.add(accept.of(works), binds(scope, works)));
    return wakesHosts ? trip.add(WAKE, new Binds()) : trip;
  }

  private Binds binds(String scope, List<NewWork> works) {
    Binds binds =
        new Binds()
            .set(ScopeSql.SCOPE_ID, scope)
            .set(AcceptanceSql.STORE_ID, store.storeId())
            .set(AcceptanceSql.EPOCH, store.epoch());
    RequestTable.bind(binds, works);
    return binds;
  }

  private AcceptanceAnswer decode(List<Result<Record>> results) {
    Iterator<Result<Record>> next = results.iterator();
    String isolation = next.next().get(0).get(AcceptanceSql.ISOLATION);
    var storeRow = StoreSql.store(next.next());
    Map<String, ScopeAnswer> scopes = new LinkedHashMap<>();
    for (String scope : requests.keySet()) {
      scopes.put(scope, scopeAnswer(next.next(), next.next()));
    }
    return new AcceptanceAnswer(isolation, storeRow, scopes);
  }

  private static ScopeAnswer scopeAnswer(Result<Record> scope, Result<Record> identities) {
    return new ScopeAnswer(
        scope.isEmpty() ? null : scope.get(0).get(SCOPE.STATE),
        identities.map(
            row ->
                new KnownIdentity(
                    row.get(RequestTable.POSITION.field()),
                    row.get(AcceptanceSql.KNOWN_WORK_ID),
                    row.get(AcceptanceSql.KNOWN_ACTIVITY_ID),
                    row.get(AcceptanceSql.SAME_CONTENT))));
  }

  /** The script of one scope, for one request and for many. */
  private record Accept(Script one, Script many) {

    Accept(Statement... enter) {
      this(
          with(enter, AcceptanceSql.ACCEPT_ONE, AcceptanceSql.READ_IDENTITY),
          with(enter, AcceptanceSql.ACCEPT, AcceptanceSql.READ_IDENTITIES));
    }

    private static Script with(Statement[] enter, Statement... accept) {
      return Script.of(
          Stream.concat(Stream.of(enter), Stream.of(accept)).toArray(Statement[]::new));
    }

    Script of(List<NewWork> works) {
      return works.size() == 1 ? one : many;
    }
  }
}
