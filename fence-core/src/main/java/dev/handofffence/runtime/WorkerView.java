package dev.handofffence.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * One worker as the store knows it. Times are the database's.
 *
 * @param workerId the id under which it owns leases
 * @param displayName what it calls itself
 * @param epoch the epoch that it works in
 * @param startedAt when this process registered
 * @param sinceHeartbeat how long ago it last reported
 * @param drainRequestedAt present when an operator asked it to take no more Work
 * @param stoppedAt present when it stopped in good order
 */
public record WorkerView(
    UUID workerId,
    String displayName,
    UUID epoch,
    Instant startedAt,
    Duration sinceHeartbeat,
    Optional<Instant> drainRequestedAt,
    Optional<Instant> stoppedAt) {

  /**
   * Checks the values.
   *
   * @param workerId the id under which it owns leases
   * @param displayName what it calls itself
   * @param epoch the epoch that it works in
   * @param startedAt when this process registered
   * @param sinceHeartbeat how long ago it last reported
   * @param drainRequestedAt present when an operator asked it to take no more Work
   * @param stoppedAt present when it stopped in good order
   */
  public WorkerView {
    Objects.requireNonNull(workerId, "workerId");
    Objects.requireNonNull(displayName, "displayName");
    Objects.requireNonNull(epoch, "epoch");
    Objects.requireNonNull(startedAt, "startedAt");
    Objects.requireNonNull(sinceHeartbeat, "sinceHeartbeat");
    Objects.requireNonNull(drainRequestedAt, "drainRequestedAt");
    Objects.requireNonNull(stoppedAt, "stoppedAt");
  }
}
