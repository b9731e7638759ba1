package dev.handofffence.internal.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class EndpointTest {

  @Test
  void url_namesItsEndpointWithTheDefaultPort() {
    assertThat(Endpoint.of("jdbc:postgresql://db.example.org/orders?user=a&password=b"))
        .containsExactly(new Endpoint("db.example.org", 5432, "orders"));
  }

  @Test
  void urlForFailover_namesAllItsEndpoints() {
    assertThat(Endpoint.of("jdbc:postgresql://one:5433,two/orders"))
        .containsExactlyInAnyOrder(
            new Endpoint("one", 5433, "orders"), new Endpoint("two", 5432, "orders"));
  }

  @Test
  void urlOfAnotherDatabase_isRefusedWithoutRepeatingIt() {
    assertThatThrownBy(() -> Endpoint.of("jdbc:other://secret"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("secret");
  }
}
