package dev.handofffence;

/**
 * The application's own key of the logical effect, unique in its scope.
 *
 * @param value 1 to 200 characters of {@code A-Z a-z 0-9 . _ : -} (protocol section 1)
 */
public record IdempotencyKey(String value) {

  /**
   * Checks the value.
   *
   * @param value 1 to 200 characters of {@code A-Z a-z 0-9 . _ : -} (protocol section 1)
   * @throws DurableException DUR100 when the value has another length or alphabet
   */
  public IdempotencyKey {
    Identifiers.check("idempotency key", value);
  }

  /**
   * {@return the key with this value}
   *
   * @param value 1 to 200 characters of {@code A-Z a-z 0-9 . _ : -}
   */
  public static IdempotencyKey of(String value) {
    return new IdempotencyKey(value);
  }

  /** Returns a text without the value, which may name a customer. */
  @Override
  public String toString() {
    return Identifiers.masked("IdempotencyKey", value);
  }
}
