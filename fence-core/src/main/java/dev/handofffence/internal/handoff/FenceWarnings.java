package dev.handofffence.internal.handoff;

import java.util.EnumSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports each unsafe circumstance of the callers' sessions once, by a fixed text. Thread-safe. */
public final class FenceWarnings {

  private static final Logger LOG = LoggerFactory.getLogger("dev.handofffence.handoff");

  private final Set<Warning> reported = EnumSet.noneOf(Warning.class);

  FenceWarnings() {}

  /** What is worth a line in the log. */
  enum Warning {
    /** The caller commits asynchronously. */
    ASYNCHRONOUS_COMMIT(
        "A handoff ran in a session with synchronous_commit off: a crash of the server may lose its"
            + " ledger row after the provider was called. Set synchronous_commit to on."),
    /** PostgreSQL caches 64 subtransactions of a transaction; each call uses two. */
    MANY_CALLS(
        "More than 30 handoffs ran in one transaction: its subtransactions overflow PostgreSQL's"
            + " cache of 64 and slow down every session. Commit more often.");

    private final String text;

    Warning(String text) {
      this.text = text;
    }
  }

  void report(Warning warning) {
    synchronized (reported) {
      if (!reported.add(warning)) {
        return;
      }
    }
    LOG.warn(warning.text);
  }
}
