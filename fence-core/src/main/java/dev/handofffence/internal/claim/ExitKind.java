package dev.handofffence.internal.claim;

/** How an invocation ended, without its result (protocol section 9). */
public enum ExitKind {
  /** The effect happened. */
  SUCCEEDED,
  /** Nothing was sent; another attempt may follow. */
  RETRY_BEFORE_EFFECT,
  /** Nothing was sent and nothing will be. */
  FAILED_WITHOUT_EFFECT,
  /** Something may have been sent. */
  AMBIGUOUS
}
