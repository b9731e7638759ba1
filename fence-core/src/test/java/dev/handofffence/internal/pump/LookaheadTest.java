package dev.handofffence.internal.pump;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import dev.handofffence.internal.claim.Candidate;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LookaheadTest {

  private final Candidate firstOfA = of("a");
  private final Candidate firstOfB = of("b");
  private final Candidate secondOfA = of("a");
  private final Candidate secondOfB = of("b");
  private long now;
  private final Lookahead ahead = new Lookahead(() -> now);

  @Test
  void take_isInTheOrderOfTurns() {
    ahead.keep(List.of(firstOfA, firstOfB, secondOfA, secondOfB), 1);

    assertThat(ahead.take(3)).containsExactly(firstOfA, firstOfB, secondOfA);
    assertThat(ahead.take(3)).containsExactly(secondOfB);
    assertThat(ahead.take(3)).isEmpty();
  }

  @Test
  void claimsTogether_areMoreThanThePlacesOnlyWhilePlacesComeBackAtOnce() {
    ahead.keep(List.of(), 1);
    assertThat(ahead.together(8)).isEqualTo(8);

    ahead.keep(List.of(), 4);
    assertThat(ahead.together(8)).isEqualTo(32);
    assertThat(ahead.together(32)).isEqualTo(50);
    assertThat(ahead.together(64)).isEqualTo(64);
  }

  @Test
  void look_servesMoreRoundsWhilePlacesComeBackAtOnce() {
    assertThat(IntStream.range(0, 6).map(n -> look()).boxed().toList())
        .containsExactly(1, 2, 4, 8, 16, 16);
  }

  @Test
  void lookThatDidNotGetRound_isFollowedByOneForASingleRound() {
    look();
    look();
    ahead.keep(List.of(), 0);

    assertThat(ahead.rounds()).isEqualTo(1);
  }

  @Test
  void placesThatComeBackLater_areEachATurnOfTheirOwn() {
    look();
    ahead.keep(List.of(firstOfA, secondOfA, firstOfB), 2);
    assertThat(ahead.take(1)).containsExactly(firstOfA);

    now += TimeUnit.MILLISECONDS.toNanos(100);

    assertThat(ahead.take(1)).as("found too long ago").isEmpty();
    assertThat(ahead.rounds()).isEqualTo(1);
  }

  private int look() {
    int rounds = ahead.rounds();
    ahead.keep(List.of(), rounds);
    return rounds;
  }

  private static Candidate of(String scope) {
    return new Candidate(ScopeId.of(scope), new WorkId(UUID.randomUUID()), 0);
  }
}
