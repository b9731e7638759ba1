package dev.handofffence;

/**
 * Identity of one command: repeating it with the same content has no second effect.
 *
 * @param value 1 to 200 characters of {@code A-Z a-z 0-9 . _ : -} (protocol section 1)
 */
public record CommandId(String value) {

  /**
   * Checks the value.
   *
   * @param value 1 to 200 characters of {@code A-Z a-z 0-9 . _ : -} (protocol section 1)
   * @throws DurableException DUR100 when the value has another length or alphabet
   */
  public CommandId {
    Identifiers.check("command id", value);
  }

  /**
   * {@return the id with this value}
   *
   * @param value 1 to 200 characters of {@code A-Z a-z 0-9 . _ : -}
   */
  public static CommandId of(String value) {
    return new CommandId(value);
  }

  /** Returns a text without the value, which may name a customer. */
  @Override
  public String toString() {
    return Identifiers.masked("CommandId", value);
  }
}
