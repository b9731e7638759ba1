package dev.handofffence.testing;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import org.jspecify.annotations.Nullable;

/** Cuts what one side sends into messages. */
final class WireReader {

  /** What PostgreSQL itself takes. */
  private static final int LONGEST_MESSAGE = 0x3fffffff;

  private static final int LONGEST_STARTUP = 10_000;

  private final DataInputStream in;

  WireReader(InputStream in) {
    this.in = new DataInputStream(new BufferedInputStream(in));
  }

  WireStartup nextStartup() throws IOException {
    int length = length(2 * Integer.BYTES, LONGEST_STARTUP);
    return new WireStartup(in.readInt(), bytes(length - 2 * Integer.BYTES));
  }

  /** Returns the next message, or null if the sender has closed after the last one. */
  @Nullable WireMessage next() throws IOException {
    int type = in.read();
    if (type < 0) {
      return null;
    }
    int length = length(WireMessage.LENGTH_BYTES, LONGEST_MESSAGE);
    return new WireMessage((char) type, bytes(length - WireMessage.LENGTH_BYTES));
  }

  /** Whether nothing of the next message has arrived, so that it is time to flush. */
  boolean isIdle() throws IOException {
    return in.available() == 0;
  }

  private int length(int shortest, int longest) throws IOException {
    int length = in.readInt();
    if (length < shortest || length > longest) {
      throw new ProtocolException(
          "Expected a message of the PostgreSQL protocol 3, but its length is " + length);
    }
    return length;
  }

  private byte[] bytes(int count) throws IOException {
    byte[] bytes = in.readNBytes(count); // grows with what arrives, whatever was announced
    if (bytes.length < count) {
      throw new EOFException("The connection ended within a message");
    }
    return bytes;
  }
}
