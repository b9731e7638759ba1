package dev.handofffence.internal.pump;

import dev.handofffence.internal.claim.Candidate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What one look has found for the rounds after it as well, in the order of turns.
 *
 * <p>While places come back at once, one look serves several rounds. As soon as a look is not used
 * up in a moment, the rest of it is dropped and each round looks for itself.
 */
final class Lookahead {

  private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int MOST_ROUNDS = 16;

  /** Beyond this a claim costs by its Works alone. */
  private static final int MOST_TOGETHER = 50;

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

  /** Returns how many to claim together for so many free places. */
  int together(int places) {
    return rounds > 1 ? Math.max(places, Math.min(places * rounds, MOST_TOGETHER)) : places;
  }

  /** Takes up to so many, the first ones first. */
  List<Candidate> take(int most) {
    if (isOver()) {
      ahead.clear();
    }
    List<Candidate> first = ahead.subList(0, Math.min(most, ahead.size()));
    List<Candidate> taken = List.copyOf(first);
    first.clear();
    return taken;
  }

  private boolean isOver() {
    return nanos.getAsLong() - lookedAt >= MOMENT_NANOS;
  }
}
