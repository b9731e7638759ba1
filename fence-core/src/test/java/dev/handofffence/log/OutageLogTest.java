package dev.handofffence.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.internal.log.OutageLog;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class OutageLogTest {

  private final List<String> lines = new ArrayList<>();
  private final OutageLog outage = new OutageLog(recorder(), "Reporting");

  @Test
  void outage_isToldWhenItBeginsAndWhenItIsOver() {
    outage.succeeded();
    for (int i = 0; i < 1_000; i++) {
      outage.failed("08006");
    }
    outage.succeeded();
    outage.succeeded();

    assertThat(lines).containsExactly("warn", "info");
  }

  @Test
  void changingReasons_doNotFloodTheLog() {
    for (int i = 0; i < 1_000; i++) {
      outage.failed(i % 2 == 0 ? "08006" : "57P03");
    }

    assertThat(lines).containsExactly("warn");
  }

  @Test
  void nextOutage_isToldAtOnce() {
    outage.failed("08006");
    outage.succeeded();
    outage.failed("08006");

    assertThat(lines).containsExactly("warn", "info", "warn");
  }

  private Logger recorder() {
    return (Logger)
        Proxy.newProxyInstance(
            Logger.class.getClassLoader(),
            new Class<?>[] {Logger.class},
            (proxy, method, arguments) -> {
              lines.add(method.getName());
              return null;
            });
  }
}
