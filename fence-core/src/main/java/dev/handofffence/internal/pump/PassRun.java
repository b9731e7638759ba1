package dev.handofffence.internal.pump;

import dev.handofffence.CancellationToken;
import dev.handofffence.internal.claim.Candidate;
import dev.handofffence.internal.sql.DiscoverySql;
import dev.handofffence.internal.sql.SqlFailure;
import dev.handofffence.internal.store.UnusableStoreException;
import dev.handofffence.internal.transaction.FailureKind;
import dev.handofffence.internal.work.Claims;
import dev.handofffence.runtime.PumpPass;
import dev.handofffence.runtime.PumpResult;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One bounded pass: from discovery to the end of everything that it claimed. */
final class PassRun {

  private static final Logger LOG = LoggerFactory.getLogger(PassRun.class);

  /** Claims of one trip. */
  private static final int BATCH = 200;

  /** Rows that discovery is asked for per place, so that scopes can take turns. */
  private static final int CHOICE = 4;

  private static final int MOST_ROWS = 10_000;

  private final PumpParts parts;
  private final PumpEngine engine;
  private final CancellationToken cancellation;
  private final AttemptRunner runner;
  private final Tally tally = new Tally();
  private final Set<Candidate> tried = new HashSet<>();
  private final long endsAt;
  private int itemsLeft;

  PassRun(PumpParts parts, PumpEngine engine, PumpPass pass, CancellationToken cancellation) {
    this.parts = parts;
    this.engine = engine;
    this.cancellation = cancellation;
    this.runner = new AttemptRunner(parts, engine, tally, cancellation);
    this.endsAt = System.nanoTime() + pass.timeBudget().toNanos();
    this.itemsLeft = pass.maxItems();
  }

  PumpResult run() {
    try {
      boolean found = true;
      while (found && mayClaim()) {
        found = round();
      }
    } catch (UnusableStoreException e) {
      tally.stopped(e.problem());
    } catch (SQLException e) {
      stop(e);
    } finally {
      runner.awaitAll();
    }
    return tally.result();
  }

  /** Returns whether there may be more. */
  private boolean round() throws SQLException {
    int places = parts.slots().take(Math.min(itemsLeft, BATCH), this::mayClaim);
    int used = 0;
    try {
      List<Candidate> chosen = places == 0 ? List.of() : discover(places);
      if (!chosen.isEmpty()) {
        used = claim(chosen);
      }
      return !chosen.isEmpty();
    } finally {
      parts.slots().giveBack(places - used);
    }
  }

  /** Rows that were tried in vain must not hide the others. */
  private List<Candidate> discover(int places) throws SQLException {
    int rows = Math.min(MOST_ROWS, places * CHOICE + tried.size());
    Contracts contracts = parts.options().contracts();
    List<Candidate> found =
        engine
            .dispatcher()
            .inOneTrip(
                c -> DiscoverySql.discover(c, contracts.names(), contracts.versions(), rows));
    List<Candidate> untried = found.stream().filter(c -> !tried.contains(c)).toList();
    List<Candidate> chosen = ScopeInterleave.choose(untried, places);
    tally.discovered(chosen.size());
    return chosen;
  }

  private int claim(List<Candidate> chosen) throws SQLException {
    tried.addAll(chosen);
    long askedAt = System.nanoTime();
    Claims.Taken taken = parts.claims().take(engine.runtime(), chosen);
    itemsLeft -= chosen.size();
    tally.claimed(taken.claimed().size());
    taken.endings().forEach(tally::ended);
    return taken.claimed().isEmpty() ? 0 : runner.start(taken.claimed(), askedAt);
  }

  private boolean mayClaim() {
    return itemsLeft > 0
        && endsAt - System.nanoTime() > 0
        && !cancellation.isCancelled()
        && !tally.isStopped();
  }

  private void stop(SQLException failure) {
    FailureKind kind = FailureKind.of(failure);
    if (kind == FailureKind.OTHER) {
      throw SqlFailure.ofStatement("A pass of the pump", failure);
    }
    LOG.warn("A pass of the pump stops at SQLSTATE {}", failure.getSQLState());
    kind.problem().ifPresent(tally::stopped);
  }
}
