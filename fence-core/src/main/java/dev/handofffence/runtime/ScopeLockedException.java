package dev.handofffence.runtime;

import java.io.Serial;
import java.time.Duration;
import java.util.List;

/**
 * The scope could not be disabled, because transactions that hold it shared did not end within the
 * given bound. Nothing was changed.
 */
public final class ScopeLockedException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  /** The sessions that were in the way. */
  @SuppressWarnings("serial") // what List.copyOf returns is serializable
  private final List<Integer> blockingPids;

  /**
   * Makes one; the library does.
   *
   * @param waited how long
   * @param blockingPids sessions of the server that were in the way
   * @param cause the failure behind it, if there is one
   */
  public ScopeLockedException(Duration waited, List<Integer> blockingPids, Throwable cause) {
    super(
        "The scope is still in use after %s, by backends %s. Wait for their transactions or end them (pg_terminate_backend), then repeat the command; nothing was changed."
            .formatted(waited, BlockingPids.text(blockingPids)),
        cause);
    this.blockingPids = List.copyOf(blockingPids);
  }

  /** {@return the process ids of the server's sessions that were in the way} */
  public List<Integer> blockingPids() {
    return blockingPids;
  }
}
