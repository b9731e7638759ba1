package dev.handofffence.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** The packet that a connection begins with: it has no type, but a code that says what it is. */
final class WireStartup {

  private static final int CANCEL_REQUEST = 80877102;
  private static final int SSL_REQUEST = 80877103;
  private static final int GSS_ENCRYPTION_REQUEST = 80877104;
  private static final int PROTOCOL = 3;

  private final int code;
  private final byte[] rest;

  WireStartup(int code, byte[] rest) {
    this.code = code;
    this.rest = rest;
  }

  boolean asksForEncryption() {
    return code == SSL_REQUEST || code == GSS_ENCRYPTION_REQUEST;
  }

  boolean asksForCancellation() {
    return code == CANCEL_REQUEST;
  }

  boolean asksForSession() {
    return code >>> Short.SIZE == PROTOCOL;
  }

  void writeTo(OutputStream out) throws IOException {
    int length = 2 * Integer.BYTES + rest.length;
    out.write(ByteBuffer.allocate(length).putInt(length).putInt(code).put(rest).array());
  }

  @Override
  public String toString() {
    return "a start packet of code " + code;
  }
}
