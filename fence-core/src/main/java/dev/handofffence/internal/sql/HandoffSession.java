package dev.handofffence.internal.sql;

/**
 * What a handoff must find unchanged when its callback has returned.
 *
 * @param scope value of {@code durable.scope_id}; empty when none is set
 * @param marker value of {@code durable.handoff}, which the fence sets after the callback's
 *     savepoint, to another value for each call: a rollback to any savepoint of the fence reverts
 *     it
 * @param user current user, which {@code SET ROLE} changes
 * @param sessionUser user that {@code RESET ROLE} goes back to
 * @param transactionId 0 when the transaction has no id yet
 */
public record HandoffSession(
    String scope,
    String marker,
    String user,
    String sessionUser,
    String searchPath,
    String isolation,
    String readOnly,
    String synchronousCommit,
    long transactionId) {

  /** Whether a fence may work in the transaction at all. */
  public boolean isReadCommittedReadWrite() {
    return isolation.equals("read committed") && readOnly.equals("off");
  }

  /**
   * Whether no savepoint of the fence was rolled back since the callback began.
   *
   * @param mark the call's own marker
   */
  public boolean isInsideCallback(String mark) {
    return marker.equals(mark);
  }

  /** Whether a commit waits until it is durable. */
  public boolean commitsDurably() {
    return !synchronousCommit.equals("off");
  }
}
