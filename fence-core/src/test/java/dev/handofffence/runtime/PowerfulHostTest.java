package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.fixture.CapturedLog;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A superuser's host works, which is why nobody would notice that it isolates no tenants. */
@Timeout(60)
class PowerfulHostTest {

  private static final String WARNING = "row-level security does not isolate scopes from it";

  private final PumpScene scene = new PumpScene();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void superuser_isWarnedAboutOnce() {
    String log = logOfAHost(scene.database.superuser());

    assertThat(Pattern.compile(WARNING).matcher(log).results()).hasSize(1);
    assertThat(log).contains("SUPERUSER").doesNotContain("CREATEDB");
  }

  @Test
  void restrictedRole_isNotWarnedAbout() {
    assertThat(logOfAHost(scene.database.runtime())).doesNotContain(WARNING);
  }

  /** Several reports long. */
  private String logOfAHost(DataSource runtimeDataSource) {
    DurableRuntime runtime =
        scene
            .builder()
            .runtimeDataSource(runtimeDataSource)
            .register(HostScene.keyed(), HostScene.succeeding())
            .build();
    try (CapturedLog log = CapturedLog.start();
        WorkerHost host = runtime.startHost(HostScene.quick().build())) {
      HostScene.untilState(host, HostHealth.State.HEALTHY);
      for (int report = 0; report < 3; report++) {
        String last = heartbeat();
        HostScene.until(() -> !heartbeat().equals(last));
      }
      return log.text();
    }
  }

  private String heartbeat() {
    return scene.database.ask("SELECT heartbeat_at FROM durable.worker");
  }
}
