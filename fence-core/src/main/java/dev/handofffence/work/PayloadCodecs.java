package dev.handofffence.work;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** The codecs that come with the library. */
public final class PayloadCodecs {

  private PayloadCodecs() {}

  /**
   * {@return a codec that writes canonical JSON (sorted properties) with Jackson, which must be on
   * the application's class path}
   *
   * @param <T> type of the values
   * @param type class of the values, such as a record
   * @throws IllegalStateException when jackson-databind is absent
   */
  public static <T> PayloadCodec<T> json(Class<T> type) {
    try {
      return new JsonCodec<>(type);
    } catch (NoClassDefFoundError e) {
      throw new IllegalStateException(
          "The JSON codec needs com.fasterxml.jackson.core:jackson-databind: add it to the"
              + " application, or use another codec",
          e);
    }
  }

  /** {@return a codec for UTF-8 text; malformed bytes are refused} */
  public static PayloadCodec<String> text() {
    return TextCodec.INSTANCE;
  }

  /** {@return a codec that keeps bytes as they are} */
  public static PayloadCodec<byte[]> bytes() {
    return BytesCodec.INSTANCE;
  }

  private enum TextCodec implements PayloadCodec<String> {
    INSTANCE;

    @Override
    public String format() {
      return "text";
    }

    @Override
    public byte[] encode(String value) throws CharacterCodingException {
      ByteBuffer encoded =
          StandardCharsets.UTF_8.newEncoder().encode(java.nio.CharBuffer.wrap(value));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    }

    @Override
    public String decode(byte[] bytes) throws CharacterCodingException {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    }
  }

  private enum BytesCodec implements PayloadCodec<byte[]> {
    INSTANCE;

    @Override
    public String format() {
      return "bytes";
    }

    @Override
    public byte[] encode(byte[] value) {
      return value.clone();
    }

    @Override
    public byte[] decode(byte[] bytes) {
      return bytes.clone();
    }
  }
}
