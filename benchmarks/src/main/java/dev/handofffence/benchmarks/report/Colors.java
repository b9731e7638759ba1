package dev.handofffence.benchmarks.report;

import dev.handofffence.benchmarks.contender.Role;

/** Colours of bars. */
final class Colors {

  private Colors() {}

  static String of(Role role) {
    return switch (role) {
      case FLOOR -> "#b0b0b0";
      case PEER -> "#7aa6d8";
      case OURS -> "#e08030";
    };
  }
}
