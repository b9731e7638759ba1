package dev.handofffence.generated.type;

/** What the provider makes of a repeated call, fixed at acceptance (protocol, section 9). */
public enum ProviderSafety {
  /** Repeating the call has no second effect. */
  IDEMPOTENT,
  /** Repeating the call with the same key has no second effect. */
  PROVIDER_KEYED,
  /** The provider can be asked whether the effect exists; until then the call is not repeated. */
  RECONCILE_BEFORE_RETRY,
  /** Only an operator can tell whether the effect exists. */
  MANUAL_RESOLUTION
}
