package dev.handofffence.crash;

import dev.handofffence.Problem;
import dev.handofffence.work.ProviderSafety;

/** Looks on while an attempt passes the points where it could stop. */
interface Stops {

  /** Goes through without a stop. */
  Stops NONE =
      new Stops() {
        @Override
        public void reach(Stop stop) {}

        @Override
        public void refused(ProviderSafety safety, Problem problem) {}
      };

  /** Returns when the attempt may go on. */
  void reach(Stop stop) throws InterruptedException;

  /** The fence said no to a Work of this safety. */
  void refused(ProviderSafety safety, Problem problem);
}
