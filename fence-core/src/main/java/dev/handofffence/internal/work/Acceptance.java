package dev.handofffence.internal.work;

import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.StoreIdentity;
import dev.handofffence.internal.sql.AcceptanceAnswer;
import dev.handofffence.internal.sql.AcceptanceTrip;
import dev.handofffence.internal.sql.NewWork;
import dev.handofffence.internal.sql.SqlFailure;
import dev.handofffence.internal.transaction.AutocommitConnection;
import dev.handofffence.internal.transaction.CallersTransaction;
import dev.handofffence.work.AcceptedWork;
import dev.handofffence.work.WorkAcceptance;
import dev.handofffence.work.WorkRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jooq.Configuration;

/**
 * Accepts Work in one round trip, two when a scope is used for the first time.
 *
 * <p>The first trip takes the lock of a scope that exists and nothing of one that does not; the
 * second creates the absent scopes, each under its exclusive lock. Whoever loses the race for a
 * first use waits there and goes on as an ordinary acceptance.
 */
public final class Acceptance implements WorkAcceptance {

  private static final String OPERATION = "Accepting Work";
  private static final String READ_ONLY = "25006";

  /** What is larger makes its own trip long, and that of others need not be. */
  private static final int MOST_SHARED_BYTES = 16 << 10;

  /** Many times what a trip takes, unless something is wrong with it. */
  private static final Duration USUAL_PATIENCE = Duration.ofMillis(100);

  /** Undefined table and undefined schema: all tables of the statements are the store's own. */
  private static final Set<String> NO_SCHEMA = Set.of("42P01", "3F000");

  private final StoreIdentity store;
  private final DataSource runtime;
  private final RequestEncoder encoder;
  private final boolean wakesHosts;
  private final SharedAcceptance shared;

  /**
   * Opens nothing.
   *
   * @param runtime connections of the runtime role, for acceptance in a transaction of its own
   */
  public Acceptance(StoreIdentity store, DataSource runtime, AcceptanceLimits limits) {
    this(store, runtime, limits, true);
  }

  /**
   * Opens nothing.
   *
   * @param wakesHosts whether an idle worker host is notified of what is due at once
   */
  public Acceptance(
      StoreIdentity store, DataSource runtime, AcceptanceLimits limits, boolean wakesHosts) {
    this(store, runtime, limits, wakesHosts, USUAL_PATIENCE);
  }

  /**
   * Opens nothing.
   *
   * @param wakesHosts whether an idle worker host is notified of what is due at once
   * @param patience how long a request waits to share a transaction with others
   */
  public Acceptance(
      StoreIdentity store,
      DataSource runtime,
      AcceptanceLimits limits,
      boolean wakesHosts,
      Duration patience) {
    this.store = Objects.requireNonNull(store, "store");
    this.runtime = Objects.requireNonNull(runtime, "runtime");
    this.encoder = new RequestEncoder(limits);
    this.wakesHosts = wakesHosts;
    this.shared = new SharedAcceptance(this::acceptTogether, this::acceptAlone, patience);
  }

  @Override
  public OperationResult<AcceptedWork> accept(
      Configuration transaction, WorkRequest<?, ?> request) {
    return acceptAll(transaction, List.of(request)).get(0);
  }

  @Override
  public OperationResult<AcceptedWork> accept(Connection transaction, WorkRequest<?, ?> request) {
    return acceptAll(transaction, List.of(request)).get(0);
  }

  @Override
  public OperationResult<AcceptedWork> accept(WorkRequest<?, ?> request) {
    NewWork work = encoder.encodeOne(request);
    return work.payloadBytes() <= MOST_SHARED_BYTES ? shared.accept(work) : acceptAlone(work);
  }

  @Override
  public List<OperationResult<AcceptedWork>> acceptAll(
      Configuration transaction, List<? extends WorkRequest<?, ?>> requests) {
    return CallersTransaction.with(transaction, connection -> acceptAll(connection, requests));
  }

  @Override
  public List<OperationResult<AcceptedWork>> acceptAll(
      Connection transaction, List<? extends WorkRequest<?, ?>> requests) {
    SortedMap<String, List<NewWork>> works = encoder.encode(requests);
    CallersTransaction.require(transaction);
    try {
      return accept(works, trip -> trip.sendInCallersTransaction(transaction));
    } catch (SQLException e) {
      if (READ_ONLY.equals(e.getSQLState())) {
        throw CallersTransaction.required("the transaction is read-only");
      }
      throw SqlFailure.ofStatement(OPERATION, e);
    }
  }

  @Override
  public List<OperationResult<AcceptedWork>> acceptAll(List<? extends WorkRequest<?, ?>> requests) {
    return acceptInOwnTransactions(encoder.encode(requests));
  }

  private OperationResult<AcceptedWork> acceptAlone(NewWork work) {
    return acceptInOwnTransactions(byScope(List.of(work))).get(0);
  }

  /**
   * In one transaction, so that all of them have committed or none has: the first use of a scope
   * needs another, and goes alone.
   */
  private List<Optional<OperationResult<AcceptedWork>>> acceptTogether(List<NewWork> works) {
    SortedMap<String, List<NewWork>> byScope = byScope(works);
    AcceptanceVerdicts verdicts = new AcceptanceVerdicts(store, byScope);
    AcceptanceTrip trip = waking(AcceptanceTrip.into(store, byScope), byScope);
    AutocommitConnection.withAnyIsolation(
        runtime,
        OPERATION,
        connection ->
            judged(verdicts, () -> verdicts.judge(trip.sendInSharedTransaction(connection))));
    return IntStream.range(0, works.size()).mapToObj(verdicts::of).toList();
  }

  private List<OperationResult<AcceptedWork>> acceptInOwnTransactions(
      SortedMap<String, List<NewWork>> works) {
    return AutocommitConnection.withAnyIsolation(
        runtime,
        OPERATION,
        connection -> accept(works, trip -> trip.sendInOwnTransaction(connection)));
  }

  /** Makes a batch of them. */
  private static SortedMap<String, List<NewWork>> byScope(List<NewWork> works) {
    SortedMap<String, List<NewWork>> byScope = new TreeMap<>();
    for (int position = 0; position < works.size(); position++) {
      NewWork work = works.get(position).at(position);
      byScope.computeIfAbsent(work.request().scope().value(), scope -> new ArrayList<>()).add(work);
    }
    return byScope;
  }

  private List<OperationResult<AcceptedWork>> accept(
      SortedMap<String, List<NewWork>> works, Sender sender) throws SQLException {
    AcceptanceVerdicts verdicts = new AcceptanceVerdicts(store, works);
    return judged(verdicts, () -> judge(works, sender, verdicts)).all();
  }

  /** Without the schema nothing is accepted, whichever way it was sent. */
  private static AcceptanceVerdicts judged(AcceptanceVerdicts verdicts, Judgement judgement)
      throws SQLException {
    try {
      judgement.make();
    } catch (SQLException e) {
      if (!NO_SCHEMA.contains(String.valueOf(e.getSQLState()))) {
        throw e;
      }
      verdicts.refuseAll(Problem.SCHEMA_MISSING);
    }
    return verdicts;
  }

  private void judge(
      SortedMap<String, List<NewWork>> works, Sender sender, AcceptanceVerdicts verdicts)
      throws SQLException {
    if (works.isEmpty()) {
      return;
    }
    verdicts.judge(sender.send(waking(AcceptanceTrip.into(store, works), works)));
    SortedMap<String, List<NewWork>> absent = verdicts.ofAbsentScopes();
    if (!absent.isEmpty()) {
      verdicts.judge(sender.send(waking(AcceptanceTrip.firstInto(store, absent), absent)));
    }
  }

  private AcceptanceTrip waking(AcceptanceTrip trip, SortedMap<String, List<NewWork>> works) {
    boolean anyIsDue =
        works.values().stream()
            .flatMap(List::stream)
            .anyMatch(work -> work.request().delay().isZero());
    return wakesHosts && anyIsDue ? trip.wakingHosts() : trip;
  }

  /** Sends trips and judges by their answers. */
  @FunctionalInterface
  private interface Judgement {
    void make() throws SQLException;
  }

  /** Sends a trip in the transaction that was chosen. */
  @FunctionalInterface
  private interface Sender {
    AcceptanceAnswer send(AcceptanceTrip trip) throws SQLException;
  }
}
