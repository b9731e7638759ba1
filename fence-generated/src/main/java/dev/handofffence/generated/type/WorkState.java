package dev.handofffence.generated.type;

/** The state of a Work (protocol, section 1). */
public enum WorkState {
  /** Accepted, or waiting for a retry; nobody owns it. */
  READY,
  /** One attempt owns it and has no permit yet. */
  CLAIMED,
  /** One attempt owns it and its permit has committed, so an effect may exist. */
  PERMITTED,
  /**
   * It goes on only after a proof, a decision or a change outside; {@link SuspendReason} says
   * which.
   */
  SUSPENDED,
  /** Ended: the effect exists and its result is known. */
  SUCCEEDED,
  /** Ended: no permit of it had an effect, and none will be granted. */
  FAILED,
  /** Ended on request: no permit of it had an effect, and none will be granted. */
  CANCELED
}
