package dev.handofffence.internal.claim;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Accepted bytes with the name of their format and the SHA-256 they were accepted with. */
public final class Payload {

  private final String format;
  private final byte[] bytes;
  private final byte[] sha256;

  /** Keeps the arrays: they were just read for this object. */
  public Payload(String format, byte[] bytes, byte[] sha256) {
    this.format = format;
    this.bytes = bytes;
    this.sha256 = sha256;
  }

  public String format() {
    return format;
  }

  /** Returns the bytes themselves, to be decoded once and not kept. */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns whether the bytes still have the SHA-256 they were accepted with. */
  public boolean isIntact() {
    try {
      return MessageDigest.isEqual(MessageDigest.getInstance("SHA-256").digest(bytes), sha256);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }
}
