package dev.handofffence.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.handofffence.CancellationToken;
import dev.handofffence.DurableException;
import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.handoff.HandoffFence;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExit;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A handoff in a database that nobody named is refused before anything is asked of it. */
class AllowedEndpointTest {

  private static PumpScene scene;

  @BeforeAll
  static void open() {
    scene = new PumpScene();
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  @Test
  void endpointThatIsNamed_isAllowed() {
    assertThat(handOffAllowing("jdbc:postgresql://elsewhere/orders", scene.database.jdbcUrl()))
        .isNull();
  }

  @Test
  void endpointThatIsNotNamed_isRefused() {
    assertThat(handOffAllowing("jdbc:postgresql://elsewhere/orders"))
        .isInstanceOfSatisfying(
            DurableException.class,
            refused -> assertThat(refused.problem()).isEqualTo(Problem.STORE_MISMATCH));
  }

  /** Returns what the fence threw; null when it prepared the handoff. */
  private static @Nullable Throwable handOffAllowing(String... jdbcUrls) {
    AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    WorkDefinition<String, String> definition = PumpScene.definition(ProviderSafety.IDEMPOTENT);
    DurableRuntimeBuilder builder = scene.builder();
    for (String url : jdbcUrls) {
      builder.allowEndpoint(url);
    }
    DurableRuntime runtime =
        builder
            .register(
                definition,
                invocation ->
                    (work, token) -> {
                      thrown.set(catchThrowable(() -> handOff(invocation.handoffFence())));
                      return WorkExit.retryBeforeEffect("asked");
                    })
            .build();
    scene.accept(runtime, definition);
    assertThat(runtime.pump().runOnce(PumpPass.of(1)).invoked()).isOne();
    return thrown.get();
  }

  private static void handOff(HandoffFence fence) throws SQLException {
    try (Connection connection = scene.database.runtime().getConnection()) {
      connection.setAutoCommit(false);
      OperationResult<?> decision =
          fence.execute(connection, (transaction, token) -> true, CancellationToken.none());
      connection.rollback();
      assertThat(decision.isSuccess()).isTrue();
    }
  }
}
