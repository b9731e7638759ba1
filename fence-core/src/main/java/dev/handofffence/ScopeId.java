package dev.handofffence;

/**
 * Names an isolation unit (tenant).
 *
 * @param value 1 to 200 characters of {@code A-Z a-z 0-9 . _ : -} (protocol section 1)
 */
public record ScopeId(String value) {

  /**
   * Checks the value.
   *
   * @param value 1 to 200 characters of {@code A-Z a-z 0-9 . _ : -} (protocol section 1)
   * @throws DurableException DUR100 when the value has another length or alphabet
   */
  public ScopeId {
    Identifiers.check("scope id", value);
  }

  /**
   * {@return the id with this value}
   *
   * @param value 1 to 200 characters of {@code A-Z a-z 0-9 . _ : -}
   */
  public static ScopeId of(String value) {
    return new ScopeId(value);
  }

  /** Returns a text without the value, which may name a customer. */
  @Override
  public String toString() {
    return Identifiers.masked("ScopeId", value);
  }
}
