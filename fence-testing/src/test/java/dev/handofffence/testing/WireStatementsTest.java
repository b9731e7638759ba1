package dev.handofffence.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WireStatementsTest {

  private final WireStatements statements = new WireStatements();

  @Test
  void namedStatement_isKnownAgainByItsName() {
    take('P', "S_1\0COMMIT\0");
    take('P', "\0SELECT 1\0");
    take('B', "\0S_1\0");

    assertThat(take('E', "\0")).isEqualTo("COMMIT");
  }

  @Test
  void unnamedStatement_isTheLastOneParsed() {
    take('P', "\0BEGIN\0");
    take('P', "\0COMMIT\0");
    take('B', "\0\0");

    assertThat(take('E', "\0")).isEqualTo("COMMIT");
  }

  @Test
  void portal_keepsTheStatementItWasBoundTo() {
    take('P', "\0SELECT 1\0");
    take('B', "C_1\0\0");
    take('P', "\0SELECT 2\0");

    assertThat(take('E', "C_1\0")).isEqualTo("SELECT 1");
  }

  @Test
  void closedStatementAndPortal_areForgotten() {
    take('P', "S_1\0COMMIT\0");
    take('B', "C_1\0S_1\0");
    take('C', "PC_1\0");
    assertThat(take('E', "C_1\0")).isNull();

    take('C', "SS_1\0");
    take('B', "\0S_1\0");
    assertThat(take('E', "\0")).isNull();
  }

  private @Nullable String take(char type, String body) {
    return statements.executedBy(new WireMessage(type, body.getBytes(StandardCharsets.UTF_8)));
  }
}
