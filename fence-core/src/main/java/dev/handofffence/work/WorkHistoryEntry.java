package dev.handofffence.work;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * One entry of a Work's append-only history: a transition, an operator's decision, or a late report
 * that was kept out of the Work ({@code quarantined}).
 *
 * @param entry position in the history; grows, with gaps
 * @param recordedAt when it was written
 * @param event what happened, such as {@code claimed}
 * @param revision of the Work after it
 * @param state of the Work after it
 * @param suspendReason why it is suspended after it, if it is
 * @param attempt number of the last attempt by then
 * @param leaseGeneration of the last claim by then
 * @param code the executor's code, the limit that applied, or the kind of the command
 * @param actor who decided; present for commands
 * @param reason why; present for commands
 */
public record WorkHistoryEntry(
    long entry,
    Instant recordedAt,
    String event,
    long revision,
    WorkState state,
    Optional<SuspendReason> suspendReason,
    int attempt,
    long leaseGeneration,
    Optional<String> code,
    Optional<String> actor,
    Optional<String> reason) {

  /**
   * Checks the values.
   *
   * @param entry position in the history; grows, with gaps
   * @param recordedAt when it was written
   * @param event what happened, such as {@code claimed}
   * @param revision of the Work after it
   * @param state of the Work after it
   * @param suspendReason why it is suspended after it, if it is
   * @param attempt number of the last attempt by then
   * @param leaseGeneration of the last claim by then
   * @param code the executor's code, the limit that applied, or the kind of the command
   * @param actor who decided; present for commands
   * @param reason why; present for commands
   */
  public WorkHistoryEntry {
    Objects.requireNonNull(recordedAt, "recordedAt");
    Objects.requireNonNull(event, "event");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(suspendReason, "suspendReason");
    Objects.requireNonNull(code, "code");
    Objects.requireNonNull(actor, "actor");
    Objects.requireNonNull(reason, "reason");
  }

  /** Returns a text without actor and reason, which may name people. */
  @Override
  public String toString() {
    return "WorkHistoryEntry[" + entry + ", " + event + code.map(c -> ":" + c).orElse("") + "]";
  }
}
