package dev.handofffence.internal.work;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * SHA-256 over values, each preceded by its length, so that no two lists of values give the same
 * bytes. Stored for good, so the encoding never changes.
 */
public final class CanonicalDigest {

  private final MessageDigest digest = sha256();

  /**
   * Begins.
   *
   * @param purpose keeps digests of different things apart
   */
  public CanonicalDigest(String purpose) {
    text(purpose);
  }

  public CanonicalDigest text(String value) {
    return bytes(value.getBytes(StandardCharsets.UTF_8));
  }

  public CanonicalDigest micros(Duration value) {
    return number(TimeUnit.MICROSECONDS.convert(value));
  }

  public CanonicalDigest number(long value) {
    return bytes(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
  }

  public CanonicalDigest bytes(byte[] value) {
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(value.length).array());
    digest.update(value);
    return this;
  }

  /** Returns the hash of all that was added. */
  public byte[] sum() {
    return digest.digest();
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }
}
