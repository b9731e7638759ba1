package dev.handofffence.internal.claim;

/** Accepted bytes with the name of their format. */
public final class Payload {

  private final String format;
  private final byte[] bytes;
  private final boolean intact;

  /** Keeps the array: it was just read for this object. */
  public Payload(String format, byte[] bytes, boolean intact) {
    this.format = format;
    this.bytes = bytes;
    this.intact = intact;
  }

  public String format() {
    return format;
  }

  /** Returns the bytes themselves, to be decoded once and not kept. */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns whether the bytes still have the SHA-256 they were accepted with. */
  public boolean intact() {
    return intact;
  }
}
