package dev.handofffence.internal.pump;

import dev.handofffence.ScopeId;
import dev.handofffence.internal.claim.Candidate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What one look has found for the rounds after it as well, in the order of turns.
 *
 * <p>While places come back at once, nobody is hurt by the order in which the turns of a moment are
 * taken. Then one look serves several rounds, and a round takes what belongs to the scopes at the
 * front, because a trip costs by its scopes far more than by its Works. As soon as a look is not
 * used up in that moment, the rest of it is dropped and each round looks for itself: every place is
 * a turn of its own.
 */
final class Lookahead {

  private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int MOST_ROUNDS = 16;

  private final LongSupplier nanos;
  private final List<Candidate> ahead = new ArrayList<>();
  private long lookedAt;
  private int rounds;

  /**
   * Begins with nothing.
   *
   * @param nanos as {@link System#nanoTime()}
   */
  Lookahead(LongSupplier nanos) {
    this.nanos = nanos;
    this.lookedAt = nanos.getAsLong() - MOMENT_NANOS;
  }

  /** Returns for how many rounds the next look should find something. */
  int rounds() {
    return isOver() ? 1 : Math.max(1, Math.min(2 * rounds, MOST_ROUNDS));
  }

  /**
   * Keeps what a look has found.
   *
   * @param forRounds how many it was to serve; zero makes the next one serve one round only
   */
  void keep(List<Candidate> found, int forRounds) {
    rounds = forRounds;
    lookedAt = nanos.getAsLong();
    ahead.clear();
    ahead.addAll(found);
  }

  /** Takes up to so many: the first one, and what else there is of its scope, before the next. */
  List<Candidate> take(int places) {
    if (isOver()) {
      ahead.clear();
    }
    List<Candidate> taken = new ArrayList<>();
    while (taken.size() < places && !ahead.isEmpty()) {
      takeOf(ahead.get(0).scope(), taken, places);
    }
    return taken;
  }

  private void takeOf(ScopeId scope, List<Candidate> taken, int places) {
    ahead.removeIf(c -> taken.size() < places && c.scope().equals(scope) && taken.add(c));
  }

  private boolean isOver() {
    return nanos.getAsLong() - lookedAt >= MOMENT_NANOS;
  }
}
