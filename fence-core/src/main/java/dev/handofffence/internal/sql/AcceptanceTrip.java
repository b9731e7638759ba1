package dev.handofffence.internal.sql;

import dev.handofffence.StoreIdentity;
import dev.handofffence.internal.sql.AcceptanceAnswer.RequestAnswer;
import dev.handofffence.internal.store.StoreRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Stream;

/** One round trip that accepts the requests of some scopes, or finds out why not. */
public final class AcceptanceTrip {

  private static final Script ENTER_CALLERS =
      Script.of(AcceptanceEntrySql.SAVEPOINT, AcceptanceEntrySql.ENTER_CALLERS);
  private static final Script LEAVE_CALLERS =
      Script.of(AcceptanceEntrySql.RESTORE_CALLER, AcceptanceEntrySql.RELEASE);
  private static final Script UNDO =
      Script.of(AcceptanceEntrySql.ROLL_BACK, AcceptanceEntrySql.RELEASE);

  private static final Script ENTER_OWN = Script.of(AcceptanceEntrySql.ENTER_OWN);
  private static final Script ENTER_SHARED = Script.of(AcceptanceEntrySql.ENTER_SHARED);
  private static final Script USE_FIRST =
      Script.of(ScopeSql.BIND_SCOPE, AcceptanceEntrySql.USE_FIRST);
  private static final Script ACCEPT = accept(AcceptanceSql.ACCEPT);
  private static final Script ACCEPT_ONE = accept(AcceptanceSql.ACCEPT_ONE);
  private static final Script WAKE = Script.of(WakeSql.NOTIFY_IF_IDLE);

  private final StoreIdentity store;
  private final SortedMap<String, List<NewWork>> requests;
  private final boolean usesFirst;
  private final boolean wakesHosts;

  private AcceptanceTrip(
      StoreIdentity store,
      SortedMap<String, List<NewWork>> requests,
      boolean usesFirst,
      boolean wakesHosts) {
    this.store = store;
    this.requests = requests;
    this.usesFirst = usesFirst;
    this.wakesHosts = wakesHosts;
  }

  /**
   * Returns the trip for scopes that are thought to exist; it writes nothing in those that do not.
   *
   * @param requests by scope id, whose order is the order of locks
   */
  public static AcceptanceTrip into(
      StoreIdentity store, SortedMap<String, List<NewWork>> requests) {
    return new AcceptanceTrip(store, requests, false, false);
  }

  /** Returns the trip that creates its scopes when they are still absent. */
  public static AcceptanceTrip firstInto(
      StoreIdentity store, SortedMap<String, List<NewWork>> requests) {
    return new AcceptanceTrip(store, requests, true, false);
  }

  /** Returns the same trip, whose commit notifies the worker hosts when one of them is idle. */
  public AcceptanceTrip wakingHosts() {
    return new AcceptanceTrip(store, requests, usesFirst, true);
  }

  /** Sends it on an autocommit connection, as one transaction that has then committed. */
  public AcceptanceAnswer sendInOwnTransaction(Connection connection) throws SQLException {
    return decode(trip(ENTER_OWN).send(connection, null));
  }

  /** The same, but it fails where it would have to wait for a lock for more than a moment. */
  public AcceptanceAnswer sendInSharedTransaction(Connection connection) throws SQLException {
    return decode(trip(ENTER_SHARED).send(connection, null));
  }

  /**
   * Sends it inside the caller's transaction. A failure takes back what the trip did, where
   * PostgreSQL allows it.
   */
  public AcceptanceAnswer sendInCallersTransaction(Connection connection) throws SQLException {
    RoundTrip trip = trip(ENTER_CALLERS).add(LEAVE_CALLERS, new Binds());
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

  private static Script accept(Statement accept) {
    return Script.of(AcceptanceEntrySql.LOCK_SCOPES, accept, KnownIdentitySql.READ);
  }

  private RoundTrip trip(Script enter) {
    Binds binds =
        storeBinds().set(AcceptanceEntrySql.SCOPE_IDS, String.join(",", requests.keySet()));
    new RequestRows(requests).bind(binds);
    RoundTrip trip = new RoundTrip().add(enter, binds);
    if (usesFirst) {
      requests
          .keySet()
          .forEach(scope -> trip.add(USE_FIRST, storeBinds().set(ScopeSql.SCOPE_ID, scope)));
    }
    trip.add(works().count() == 1 ? ACCEPT_ONE : ACCEPT, binds);
    return wakesHosts ? trip.add(WAKE, new Binds()) : trip;
  }

  private Binds storeBinds() {
    return new Binds()
        .set(AcceptanceEntrySql.STORE_ID, store.storeId())
        .set(AcceptanceEntrySql.EPOCH, store.epoch());
  }

  private Stream<NewWork> works() {
    return requests.values().stream().flatMap(List::stream);
  }

  private AcceptanceAnswer decode(List<Rows> results) {
    Iterator<Rows> next = results.iterator();
    String isolation = next.next().get(0).get(AcceptanceEntrySql.ISOLATION);
    StoreRow storeRow = StoreSql.store(next.next());
    String accepted = next.next().get(0).get(AcceptanceSql.ACCEPTED);
    Rows known = next.next();
    List<RequestAnswer> answers =
        accepted.equals(String.valueOf(works().count()))
            ? works().map(RequestAnswer::accepted).toList()
            : known.map(AcceptanceTrip::answer);
    return new AcceptanceAnswer(isolation, storeRow, answers);
  }

  private static RequestAnswer answer(Row row) {
    return new RequestAnswer(
        row.get(RequestTable.POSITION.field()),
        row.get(KnownIdentitySql.SCOPE_STATE),
        row.get(KnownIdentitySql.WORK_ID),
        row.get(KnownIdentitySql.ACTIVITY_ID),
        row.get(KnownIdentitySql.SAME_CONTENT));
  }
}
