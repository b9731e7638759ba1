package dev.handofffence.work;

/**
 * Turns values into the bytes that the store keeps, and back. Must be thread-safe and stable: equal
 * values give equal bytes, or repeating a command is refused as a conflict.
 *
 * @param <T> type of the values
 */
public interface PayloadCodec<T> {

  /**
   * Returns a short name of the byte format, kept beside the bytes; 1 to 50 characters of {@code
   * a-z 0-9 -}.
   */
  String format();

  byte[] encode(T value) throws Exception;

  T decode(byte[] bytes) throws Exception;
}
