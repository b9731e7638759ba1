package dev.handofffence.testing;

import org.jspecify.annotations.Nullable;

/** A running count, which also counts for the whole that it is a part of. */
final class WireCounters {

  private final @Nullable WireCounters whole;
  private WireCount count = WireCount.NONE;

  WireCounters(@Nullable WireCounters whole) {
    this.whole = whole;
  }

  synchronized void add(WireCount more) {
    count = count.plus(more);
    if (whole != null) {
      whole.add(more);
    }
  }

  synchronized WireCount get() {
    return count;
  }
}
