package dev.handofffence.internal.pump;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.ActivityId;
import dev.handofffence.CancellationToken;
import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.claim.ClaimedWork;
import dev.handofffence.internal.claim.Payload;
import dev.handofffence.work.LeasePolicy;
import dev.handofffence.work.ProviderSafety;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Claims that wait for places. */
class ClaimsAheadTest {

  private final RunningAttempt first = claimed();
  private final RunningAttempt second = claimed();
  private final RunningAttempt third = claimed();

  private long now;
  private final ClaimsAhead claims = new ClaimsAhead(() -> now);

  @Test
  void claims_areTakenInTheOrderInWhichTheyCame() {
    claims.keep(List.of(first, second, third));

    assertThat(claims.take(2)).containsExactly(first, second);
    assertThat(claims.take(2)).containsExactly(third);
    assertThat(claims.isEmpty()).isTrue();
  }

  @Test
  void claims_thatHaveWaitedForAMoment_areOver() {
    claims.keep(List.of(first));
    assertThat(claims.isOver()).isFalse();

    now += TimeUnit.MILLISECONDS.toNanos(100);

    assertThat(claims.isOver()).isTrue();
  }

  @Test
  void nothing_isNeverOver() {
    now += TimeUnit.HOURS.toNanos(1);

    assertThat(claims.isOver()).isFalse();
  }

  private static RunningAttempt claimed() {
    Claim claim =
        new Claim(
            ScopeId.of("a"),
            new WorkId(UUID.randomUUID()),
            1,
            1,
            UUID.randomUUID(),
            1,
            UUID.randomUUID());
    return new RunningAttempt(
        new ClaimedWork(
            claim,
            new ActivityId(UUID.randomUUID()),
            "notes.send",
            "v1",
            new Payload("text", new byte[0], new byte[32]),
            ProviderSafety.IDEMPOTENT,
            LeasePolicy.standard(),
            Duration.ofSeconds(1)),
        0,
        CancellationToken.none());
  }
}
