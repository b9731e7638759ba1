package dev.handofffence.internal.claim;

/** The bytes of a result with the name of their format. */
public final class EncodedResult {

  private final String format;
  private final byte[] bytes;

  /** Keeps the array: it was just written for this object. */
  public EncodedResult(String format, byte[] bytes) {
    this.format = format;
    this.bytes = bytes;
  }

  public String format() {
    return format;
  }

  /** Returns the bytes themselves, to be stored and not changed. */
  public byte[] bytes() {
    return bytes;
  }
}
