package dev.handofffence.work;

import dev.handofffence.ActivityId;
import dev.handofffence.WorkId;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * One Work as an operator sees it, without its payload. Times are the database's.
 *
 * @param workId which Work
 * @param activityId the idempotency key that the provider gets
 * @param contractName what kind of Work it is
 * @param contractVersion in which version
 * @param providerSafety what may be done about an unknown outcome
 * @param state where it stands
 * @param suspendReason why it is suspended, if it is
 * @param revision grows with every change; what a command says that it expects
 * @param attempt number of the last attempt; zero before the first
 * @param mostAttempts how many the retry policy and operators allow, and one more for each attempt
 *     that was lost before it was permitted
 * @param acceptedAt when it was accepted
 * @param dueAt when the next attempt is due; present while the Work is runnable or owned
 * @param leaseExpiresAt present while an attempt owns the Work
 * @param deadline when its effect is no longer permitted, if it has such an end
 * @param cancelRequestedAt when its cancellation was requested, if it was
 * @param epoch the epoch that it was accepted in, or released to
 */
public record WorkView(
    WorkId workId,
    ActivityId activityId,
    String contractName,
    String contractVersion,
    ProviderSafety providerSafety,
    WorkState state,
    Optional<SuspendReason> suspendReason,
    long revision,
    int attempt,
    int mostAttempts,
    Instant acceptedAt,
    Optional<Instant> dueAt,
    Optional<Instant> leaseExpiresAt,
    Optional<Instant> deadline,
    Optional<Instant> cancelRequestedAt,
    UUID epoch) {

  /**
   * Checks the values.
   *
   * @param workId which Work
   * @param activityId the idempotency key that the provider gets
   * @param contractName what kind of Work it is
   * @param contractVersion in which version
   * @param providerSafety what may be done about an unknown outcome
   * @param state where it stands
   * @param suspendReason why it is suspended, if it is
   * @param revision grows with every change; what a command says that it expects
   * @param attempt number of the last attempt; zero before the first
   * @param mostAttempts how many the retry policy and operators allow
   * @param acceptedAt when it was accepted
   * @param dueAt when the next attempt is due; present while the Work is runnable or owned
   * @param leaseExpiresAt present while an attempt owns the Work
   * @param deadline when its effect is no longer permitted, if it has such an end
   * @param cancelRequestedAt when its cancellation was requested, if it was
   * @param epoch the epoch that it was accepted in, or released to
   */
  public WorkView {
    Objects.requireNonNull(workId, "workId");
    Objects.requireNonNull(activityId, "activityId");
    Objects.requireNonNull(contractName, "contractName");
    Objects.requireNonNull(contractVersion, "contractVersion");
    Objects.requireNonNull(providerSafety, "providerSafety");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(suspendReason, "suspendReason");
    Objects.requireNonNull(acceptedAt, "acceptedAt");
    Objects.requireNonNull(dueAt, "dueAt");
    Objects.requireNonNull(leaseExpiresAt, "leaseExpiresAt");
    Objects.requireNonNull(deadline, "deadline");
    Objects.requireNonNull(cancelRequestedAt, "cancelRequestedAt");
    Objects.requireNonNull(epoch, "epoch");
  }
}
