package dev.handofffence.testing;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class ExternalServerTest {

  @Test
  void urlOfAnotherForm_isRefusedWithoutShowingIt() {
    ExternalServer server = new ExternalServer("postgres://me:secret@host/db");

    assertThatThrownBy(() -> server.configure(new PGSimpleDataSource()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("FENCE_TEST_JDBC_URL must look like jdbc:postgresql://")
        .hasMessageNotContaining("secret")
        .hasNoCause();
  }
}
