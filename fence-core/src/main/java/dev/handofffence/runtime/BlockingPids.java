package dev.handofffence.runtime;

import java.util.List;
import java.util.stream.Collectors;

/** Text about sessions that are in the way. */
final class BlockingPids {

  private BlockingPids() {}

  static String text(List<Integer> pids) {
    return pids.isEmpty()
        ? "that have ended since"
        : pids.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }
}
