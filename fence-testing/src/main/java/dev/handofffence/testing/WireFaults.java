package dev.handofffence.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The faults of a proxy: those that wait for their point, and those that were given out. */
final class WireFaults implements AutoCloseable {

  private final List<WireFault> armed = new ArrayList<>();
  private final List<WireFault> all = new ArrayList<>();

  synchronized WireFault arm(WirePoint point) {
    WireFault fault = new WireFault(point);
    armed.add(fault);
    all.add(fault);
    return fault;
  }

  /** Takes the fault armed first for this point: each happens once. */
  synchronized Optional<WireFault> take(WirePoint.Side side, String statement) {
    Optional<WireFault> first =
        armed.stream().filter(fault -> fault.point().is(side, statement)).findFirst();
    first.ifPresent(armed::remove);
    return first;
  }

  /** Cuts whoever is stopped, or will be. */
  @Override
  public synchronized void close() {
    all.forEach(WireFault::cut);
  }
}
