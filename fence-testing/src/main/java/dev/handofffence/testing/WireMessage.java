package dev.handofffence.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A message of the frontend/backend protocol, version 3: one byte of type, the length, a body. */
final class WireMessage {

  static final char QUERY = 'Q';
  static final char PARSE = 'P';
  static final char BIND = 'B';
  static final char EXECUTE = 'E';
  static final char CLOSE = 'C';
  static final char SYNC = 'S';
  static final char FUNCTION_CALL = 'F';

  static final char BACKEND_KEY_DATA = 'K';
  static final char READY_FOR_QUERY = 'Z';

  /** The length counts itself. */
  static final int LENGTH_BYTES = 4;

  private final char type;
  private final byte[] body;

  WireMessage(char type, byte[] body) {
    this.type = type;
    this.body = body;
  }

  char type() {
    return type;
  }

  /** Whether the server answers this request with one ReadyForQuery, after an error as well. */
  boolean endsRequest() {
    return type == SYNC || type == QUERY || type == FUNCTION_CALL;
  }

  /** Returns one of the zero-terminated strings that the body begins with, the first being 0. */
  String text(int index) {
    int start = 0;
    for (int i = 0; i < index; i++) {
      start = end(start) + 1;
    }
    return new String(body, start, end(start) - start, StandardCharsets.UTF_8);
  }

  private int end(int start) {
    int end = start;
    while (body[end] != 0) {
      end++;
    }
    return end;
  }

  /** Returns the 32-bit number that the body begins with. */
  int number() {
    return ByteBuffer.wrap(body).getInt();
  }

  void writeTo(OutputStream out) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(1 + LENGTH_BYTES);
    out.write(header.put((byte) type).putInt(LENGTH_BYTES + body.length).array());
    out.write(body);
  }
}
