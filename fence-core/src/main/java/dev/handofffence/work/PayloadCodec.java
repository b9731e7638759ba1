package dev.handofffence.work;

/**
 * Turns values into the bytes that the store keeps, and back. Must be thread-safe and stable: equal
 * values give equal bytes, or repeating a command is refused as a conflict.
 *
 * @param <T> type of the values
 */
public interface PayloadCodec<T> {

  /**
   * {@return a short name of the byte format, kept beside the bytes; 1 to 50 characters of {@code
   * a-z 0-9 -}}
   */
  String format();

  /**
   * {@return the bytes of a value}
   *
   * @param value the value
   * @throws Exception when the value cannot be encoded: acceptance refuses it, a result becomes
   *     ambiguous
   */
  byte[] encode(T value) throws Exception;

  /**
   * {@return the value of bytes that {@link #encode} returned, also of an earlier version}
   *
   * @param bytes what {@link #encode} returned
   * @throws Exception when they cannot be decoded: the Work is suspended as contract unavailable
   */
  T decode(byte[] bytes) throws Exception;
}
