package dev.handofffence.internal.pump;

import static java.util.Comparator.comparingInt;

import dev.handofffence.CancellationToken;
import dev.handofffence.internal.claim.Candidate;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.claim.ClaimedWork;
import dev.handofffence.internal.claim.Discovery;
import dev.handofffence.internal.claim.Lane;
import dev.handofffence.internal.sql.DiscoverySql;
import dev.handofffence.internal.sql.SqlFailure;
import dev.handofffence.internal.store.UnusableStoreException;
import dev.handofffence.internal.transaction.FailureKind;
import dev.handofffence.internal.work.Claims;
import dev.handofffence.runtime.PumpPass;
import dev.handofffence.runtime.PumpResult;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** One bounded pass: from discovery to the end of everything that it claimed. */
final class PassRun {

  /** Claims of one trip. */
  private static final int BATCH = 200;

  /** Rows that discovery is asked for per place, so that scopes can take turns. */
  private static final int CHOICE = 4;

  private static final int MOST_ROWS = 10_000;

  /** Half of the claims that a Work may lose before they count as attempts. */
  private static final int MANY_CLAIMS = 50;

  /** Half of the lanes that one look visits. */
  private static final int MANY_EMPTY_LANES = 32;

  private final PumpParts parts;
  private final PumpEngine engine;
  private final CancellationToken cancellation;
  private final BooleanSupplier open;
  private final InFlight inFlight;
  private final AttemptRunner runner;
  private final Tally tally = new Tally();
  private final Set<Candidate> tried = new HashSet<>();
  private final Lookahead ahead = new Lookahead(System::nanoTime);
  private final ClaimsAhead claims = new ClaimsAhead(System::nanoTime);
  private final List<Candidate> unclaimed = new ArrayList<>();
  private final long endsAt;
  private int itemsLeft;
  private boolean hasLooked;
  private boolean sawNothing;
  private Optional<String> observed = Optional.empty();

  /**
   * Begins nothing yet.
   *
   * @param cancellation stops claiming and fires the tokens of the running executors
   * @param open stops claiming alone, when it says false
   * @param inFlight counts what the pass has started and not ended
   */
  PassRun(
      PumpParts parts,
      PumpEngine engine,
      PumpPass pass,
      CancellationToken cancellation,
      BooleanSupplier open,
      InFlight inFlight) {
    this.parts = parts;
    this.engine = engine;
    this.cancellation = cancellation;
    this.open = open;
    this.inFlight = inFlight;
    this.runner = new AttemptRunner(parts, engine, tally, cancellation, inFlight);
    this.endsAt = System.nanoTime() + pass.timeBudget().toNanos();
    this.itemsLeft = pass.maxItems();
  }

  /** Claims and runs what is due, and returns when all of it has ended. */
  PumpResult run() {
    try {
      start();
    } finally {
      inFlight.awaitNone();
    }
    return tally.result();
  }

  /** Claims what is due and starts it; returns what is known by then. */
  PumpResult start() {
    try {
      boolean found = true;
      while (found && goesOn()) {
        found = round();
      }
      engine.outage().succeeded();
    } catch (UnusableStoreException e) {
      engine.outage().failed(e.describe());
      tally.stopped(e.problem());
      observed = e.observed();
    } catch (SQLException e) {
      stop(e);
    } finally {
      handBack();
    }
    return tally.result();
  }

  /** Returns what was seen of the problem that stopped it, a fixed text. */
  Optional<String> observed() {
    return observed;
  }

  /** Whether there was a place to look for at all. */
  boolean hasLooked() {
    return hasLooked;
  }

  /** Whether its last look found nothing to try: what somebody has locked was tried before. */
  boolean sawNothing() {
    return sawNothing;
  }

  /** Returns whether there may be more. */
  private boolean round() throws SQLException {
    if (claims.isOver()) {
      handBack();
    }
    int most = Math.min(claims.isEmpty() ? itemsLeft : claims.size(), BATCH);
    try (Slots.Taken places = parts.slots().take(most, this::waits)) {
      boolean found = !claims.isEmpty();
      if (!found && places.owned() > 0) {
        found = claim(choose(places.owned()));
      }
      hasLooked |= places.owned() > 0;
      sawNothing = places.owned() > 0 && !found;
      startFirst(places);
      classifyUnclaimed();
      return found;
    }
  }

  /** What was claimed ahead is not to wait for long. */
  private boolean waits() {
    return goesOn() && !claims.isOver();
  }

  private void startFirst(Slots.Taken places) throws SQLException {
    List<RunningAttempt> first = claims.take(places.owned());
    if (!first.isEmpty()) {
      tally.claimed(first.size());
      runner.start(first, places);
    }
  }

  private void handBack() {
    List<RunningAttempt> rest = claims.take(Integer.MAX_VALUE);
    if (!rest.isEmpty()) {
      itemsLeft += rest.size();
      runner.handBack(rest);
    }
  }

  private List<Candidate> choose(int places) throws SQLException {
    List<Candidate> chosen = ahead.take(ahead.together(places));
    if (chosen.isEmpty()) {
      look(places);
      chosen = ahead.take(ahead.together(places));
    }
    List<Candidate> wanted = withoutWanderers(chosen, places);
    tally.discovered(wanted.size());
    return wanted;
  }

  /** One that was claimed so often is claimed for a free place only: it shall not go in circles. */
  private List<Candidate> withoutWanderers(List<Candidate> chosen, int places) {
    int certain = Math.min(places, chosen.size());
    Stream<Candidate> others =
        chosen.subList(certain, chosen.size()).stream()
            .filter(c -> c.leaseGeneration() < MANY_CLAIMS);
    return Stream.concat(chosen.subList(0, certain).stream(), others).limit(itemsLeft).toList();
  }

  private void look(int places) throws SQLException {
    int rounds = ahead.rounds();
    int wanted = Math.max(places, Math.min(places * rounds, Math.min(itemsLeft, BATCH)));
    Discovery found = discover(places, wanted);
    ahead.keep(
        parts.turns().choose(found.only(c -> !tried.contains(c)), wanted),
        isTurnOfAll(found) && !hidesALane(found) ? rounds : 0);
  }

  /** A look for one round alone goes behind what was tried in each lane. */
  private boolean hidesALane(Discovery found) {
    return found.lanes().stream()
        .map(Lane::candidates)
        .anyMatch(rows -> !rows.isEmpty() && tried.containsAll(rows));
  }

  /** Whether the lanes without due rows have left room for those that have some. */
  private static boolean isTurnOfAll(Discovery found) {
    long empty = found.lanes().stream().filter(lane -> lane.candidates().isEmpty()).count();
    return empty < MANY_EMPTY_LANES;
  }

  /** Rows that were tried in vain must not hide the others. */
  private Discovery discover(int places, int wanted) throws SQLException {
    int rows = Math.min(MOST_ROWS, places * (CHOICE - 1) + wanted + tried.size());
    Contracts contracts = parts.options().contracts();
    return engine
        .dispatcher()
        .inOneTrip(
            c ->
                DiscoverySql.discover(
                    c,
                    contracts.names(),
                    contracts.versions(),
                    rows,
                    wanted,
                    parts.turns().cursor()));
  }

  /** Returns whether there was anything to claim. */
  private boolean claim(List<Candidate> chosen) throws SQLException {
    if (chosen.isEmpty()) {
      return false;
    }
    tried.addAll(chosen);
    long askedAt = System.nanoTime();
    Claims.Taken taken = parts.claims().take(engine.runtime(), chosen);
    forget(taken.claimed());
    itemsLeft -= chosen.size();
    unclaimed.addAll(taken.unclaimed());
    claims.keep(
        taken.claimed().stream()
            .sorted(comparingInt(work -> turn(chosen, work)))
            .map(work -> runner.hold(work, askedAt))
            .toList());
    return true;
  }

  /** One that another worker claimed and handed back meanwhile is the last. */
  private static int turn(List<Candidate> chosen, ClaimedWork work) {
    int index = chosen.indexOf(candidate(work));
    return index < 0 ? chosen.size() : index;
  }

  /** Last of a round: its failure must not cost what was claimed. */
  private void classifyUnclaimed() throws SQLException {
    while (!unclaimed.isEmpty()) {
      tally.ended(parts.claims().classify(engine.runtime(), unclaimed.remove(0)));
    }
  }

  /** What was claimed has another lease generation by now: as it was, it is not found again. */
  private void forget(List<ClaimedWork> claimed) {
    claimed.forEach(work -> tried.remove(candidate(work)));
  }

  /** What a claim was made from. */
  private static Candidate candidate(ClaimedWork work) {
    Claim claim = work.claim();
    return new Candidate(claim.scope(), claim.workId(), claim.leaseGeneration() - 1);
  }

  private boolean goesOn() {
    return (itemsLeft > 0 || !claims.isEmpty())
        && endsAt - System.nanoTime() > 0
        && open.getAsBoolean()
        && !cancellation.isCancelled()
        && !tally.isStopped();
  }

  private void stop(SQLException failure) {
    FailureKind kind = FailureKind.of(failure);
    if (kind == FailureKind.OTHER) {
      throw SqlFailure.ofStatement("A pass of the pump", failure);
    }
    engine.outage().failed(Failures.describe(failure));
    kind.problem().ifPresent(tally::stopped);
    if (kind == FailureKind.UNAVAILABLE) {
      observed = Optional.of(SqlFailure.observed(failure));
    }
  }
}
