package dev.handofffence.work;

/** What may be done about an effect whose outcome is unknown (protocol section 9). */
public enum ProviderSafety {
  /** Repeating the effect changes nothing: an unknown outcome is retried. */
  IDEMPOTENT,
  /**
   * The provider drops repetitions of the same activity id: an unknown outcome is retried with it.
   */
  PROVIDER_KEYED,
  /**
   * Somebody has to look at the provider first: an unknown outcome is suspended for the reconciler
   * or an operator.
   */
  RECONCILE_BEFORE_RETRY,
  /** Only a person can tell: an unknown outcome is suspended for an operator. */
  MANUAL_RESOLUTION
}
