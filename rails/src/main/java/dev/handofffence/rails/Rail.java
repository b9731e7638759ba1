package dev.handofffence.rails;

import java.io.IOException;

/** A way to build and test everything, with conditions that an ordinary build does not set. */
interface Rail {

  /** Returns the name on the command line. */
  String name();

  /**
   * Runs it to its end.
   *
   * @throws RailException when a condition does not hold
   */
  void run(RailRun run) throws IOException;
}
