package dev.handofffence.work;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** Canonical JSON: properties and map keys sorted, so that equal values give equal bytes. */
final class JsonCodec<T> implements PayloadCodec<T> {

  private final Class<T> type;
  private final ObjectMapper mapper =
      JsonMapper.builder()
          .findAndAddModules()
          .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  JsonCodec(Class<T> type) {
    this.type = type;
  }

  @Override
  public String format() {
    return "json";
  }

  @Override
  public byte[] encode(T value) throws Exception {
    return mapper.writeValueAsBytes(value);
  }

  @Override
  public T decode(byte[] bytes) throws Exception {
    T value = mapper.readValue(bytes, type);
    if (value == null) {
      throw new IllegalArgumentException("The JSON text is null");
    }
    return value;
  }
}
