package dev.handofffence.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PayloadCodecsTest {

  record Receipt(String to, Map<String, Integer> lines) {}

  private final PayloadCodec<Receipt> json = PayloadCodecs.json(Receipt.class);

  @Test
  void json_isCanonical() throws Exception {
    assertThat(text(json.encode(new Receipt("a", map("z", "b")))))
        .isEqualTo("{\"lines\":{\"b\":1,\"z\":1},\"to\":\"a\"}")
        .isEqualTo(text(json.encode(new Receipt("a", map("b", "z")))));
  }

  @Test
  void json_comesBackAsItWas() throws Exception {
    Receipt receipt = new Receipt("Zoë", map("b", "z"));

    assertThat(json.decode(json.encode(receipt))).isEqualTo(receipt);
  }

  @Test
  void json_refusesWhatIsNotOneWholeValue() {
    assertThatThrownBy(() -> json.decode(bytes("null")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> json.decode(bytes("{} {}")))
        .isInstanceOf(JsonProcessingException.class);
    assertThatThrownBy(() -> json.decode(bytes("{\"unknown\":1}")))
        .isInstanceOf(JsonProcessingException.class);
  }

  @Test
  void text_isUtf8AndRefusesWhatIsNot() throws Exception {
    PayloadCodec<String> text = PayloadCodecs.text();

    assertThat(text.decode(text.encode("Zoë 😀"))).isEqualTo("Zoë 😀");
    assertThatThrownBy(() -> text.decode(new byte[] {(byte) 0xff}))
        .isInstanceOf(CharacterCodingException.class);
    assertThatThrownBy(() -> text.encode("\ud800")).isInstanceOf(CharacterCodingException.class);
  }

  @Test
  void bytes_areCopied() throws Exception {
    PayloadCodec<byte[]> codec = PayloadCodecs.bytes();
    byte[] payload = {1, 2};

    byte[] encoded = codec.encode(payload);
    payload[0] = 9;
    assertThat(encoded).containsExactly(1, 2);
    byte[] decoded = codec.decode(encoded);
    decoded[0] = 9;
    assertThat(encoded).containsExactly(1, 2);
  }

  private static Map<String, Integer> map(String first, String second) {
    Map<String, Integer> map = new LinkedHashMap<>();
    map.put(first, 1);
    map.put(second, 1);
    return map;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
