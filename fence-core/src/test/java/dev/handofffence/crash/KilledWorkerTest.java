package dev.handofffence.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.fixture.NoticeTables;
import dev.handofffence.runtime.PumpResult;
import dev.handofffence.work.ProviderSafety;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Proofs 26 and 37: a worker is killed while it runs a Work of each provider safety, and another
 * worker finds what it left.
 */
class KilledWorkerTest {

  private static final Map<Stop, Crash> CRASHES = new EnumMap<>(Stop.class);

  @AfterAll
  static void close() {
    CRASHES.values().forEach(crash -> crash.scene.close());
  }

  @ParameterizedTest
  @CsvSource(
      useHeadersInDisplayName = true,
      textBlock =
          """
          KILLED AT,  SAFETY,                 STATE,                             PERMITS,            EFFECTS, PREPARED BY ATTEMPT
          CLAIMED,    IDEMPOTENT,             succeeded,                         applied,            1,       2
          CLAIMED,    PROVIDER_KEYED,         succeeded,                         applied,            1,       2
          CLAIMED,    RECONCILE_BEFORE_RETRY, succeeded,                         applied,            1,       2
          CLAIMED,    MANUAL_RESOLUTION,      succeeded,                         applied,            1,       2
          PERMITTED,  IDEMPOTENT,             succeeded,                         unresolved applied, 1,       2
          PERMITTED,  PROVIDER_KEYED,         succeeded,                         unresolved applied, 1,       2
          PERMITTED,  RECONCILE_BEFORE_RETRY, suspended/reconciliation_required, unresolved,         0,       0
          PERMITTED,  MANUAL_RESOLUTION,      suspended/manual_resolution,       unresolved,         0,       0
          DECIDED,    IDEMPOTENT,             succeeded,                         unresolved applied, 1,       2
          DECIDED,    PROVIDER_KEYED,         succeeded,                         unresolved applied, 1,       2
          DECIDED,    RECONCILE_BEFORE_RETRY, suspended/reconciliation_required, unresolved,         0,       0
          DECIDED,    MANUAL_RESOLUTION,      suspended/manual_resolution,       unresolved,         0,       0
          HANDED_OFF, IDEMPOTENT,             succeeded,                         unresolved applied, 1,       2
          HANDED_OFF, PROVIDER_KEYED,         succeeded,                         unresolved applied, 1,       2
          HANDED_OFF, RECONCILE_BEFORE_RETRY, suspended/reconciliation_required, unresolved,         0,       1
          HANDED_OFF, MANUAL_RESOLUTION,      suspended/manual_resolution,       unresolved,         0,       1
          SENT,       IDEMPOTENT,             succeeded,                         unresolved applied, 2,       2
          SENT,       PROVIDER_KEYED,         succeeded,                         unresolved applied, 2,       2
          SENT,       RECONCILE_BEFORE_RETRY, suspended/reconciliation_required, unresolved,         1,       1
          SENT,       MANUAL_RESOLUTION,      suspended/manual_resolution,       unresolved,         1,       1
          COMPLETED,  IDEMPOTENT,             succeeded,                         applied,            1,       1
          COMPLETED,  PROVIDER_KEYED,         succeeded,                         applied,            1,       1
          COMPLETED,  RECONCILE_BEFORE_RETRY, succeeded,                         applied,            1,       1
          COMPLETED,  MANUAL_RESOLUTION,      succeeded,                         applied,            1,       1
          """)
  void workOfAKilledWorker_endsAsItsSafetyDemands(
      Stop killedAt,
      ProviderSafety safety,
      String state,
      String permits,
      int effects,
      int preparedBy) {
    CrashScene scene = crash(killedAt).scene;

    assertThat(scene.state(safety)).isEqualTo(state);
    assertThat(scene.permits(safety)).isEqualTo(permits);
    assertThat(scene.effects(safety)).isEqualTo(effects);
    assertThat(scene.preparedAttempt(safety)).isEqualTo(preparedBy);
    assertThat(scene.isKeyedByItsActivity(safety)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Stop.class)
  void attemptAfterTheKill_hasANumberAndALeaseOfItsOwn(Stop killedAt) {
    Crash crash = crash(killedAt);

    for (ProviderSafety safety : ProviderSafety.values()) {
      boolean twice = crash.wasRepeated(safety);
      assertThat(crash.scene.claims(safety)).isEqualTo(twice ? "1/1 2/2" : "1/1");
    }
  }

  @ParameterizedTest
  @EnumSource(Stop.class)
  void secondRescue_findsNothingLeft(Stop killedAt) {
    Crash crash = crash(killedAt);

    assertThat(crash.afterwards.discovered()).isZero();
    for (ProviderSafety safety : ProviderSafety.values()) {
      assertThat(crash.scene.isDispatched(safety)).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = ProviderSafety.class,
      names = {"IDEMPOTENT", "PROVIDER_KEYED"})
  void handoffCommittedButNotSent_isPreparedAgainAndSent(ProviderSafety safety) {
    Crash crash = crash(Stop.HANDED_OFF);

    assertThat(crash.preparedBefore.get(safety)).isEqualTo(1);
    assertThat(crash.effectsBefore.get(safety)).isZero();
    assertThat(crash.scene.preparedAttempt(safety)).isEqualTo(2);
    assertThat(crash.scene.effects(safety)).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = ProviderSafety.class,
      names = {"RECONCILE_BEFORE_RETRY", "MANUAL_RESOLUTION"})
  void handoffCommittedButNotSent_isNotSentByAnAttemptThatAnOperatorAllows(ProviderSafety safety) {
    try (CrashScene scene = new Crash(Stop.HANDED_OFF).scene) {
      scene.proveNotApplied(safety);
      assertThat(scene.rescue().suspended()).isEqualTo(1);

      assertThat(scene.history(safety)).endsWith("permitted suspended:prepared_earlier");
      assertThat(scene.permits(safety)).isEqualTo("no_effect unresolved");
      assertThat(scene.effects(safety)).isZero();
    }
  }

  private static Crash crash(Stop killedAt) {
    return CRASHES.computeIfAbsent(killedAt, Crash::new);
  }

  /** One killed worker, and what came of its Works. */
  private static final class Crash {

    final Stop killedAt;
    final CrashScene scene = new CrashScene().acceptAll();
    final Map<ProviderSafety, Integer> preparedBefore = new EnumMap<>(ProviderSafety.class);
    final Map<ProviderSafety, Integer> effectsBefore = new EnumMap<>(ProviderSafety.class);
    final PumpResult afterwards;

    Crash(Stop killedAt) {
      this.killedAt = killedAt;
      kill();
      for (ProviderSafety safety : ProviderSafety.values()) {
        preparedBefore.put(safety, scene.preparedAttempt(safety));
        effectsBefore.put(safety, scene.effects(safety));
      }
      scene.expireLeases();
      scene.rescue();
      afterwards = scene.rescue();
    }

    /** All Works are at the stop: claims are made together, executors run side by side. */
    private void kill() {
      try (WorkerProcess worker = WorkerProcess.start(scene.database, killedAt, 1, 100)) {
        if (killedAt == Stop.COMPLETED) {
          assertThat(worker.next()).contains("succeeded=4");
        }
        boolean alone = killedAt == Stop.CLAIMED || killedAt == Stop.COMPLETED;
        assertThat(worker.next(alone ? 1 : 4)).containsOnly("at " + killedAt);
        worker.kill();
      }
      String state = scene.state(ProviderSafety.MANUAL_RESOLUTION);
      assertThat(List.of("claimed", "permitted", "succeeded")).contains(state);
      for (ProviderSafety safety : ProviderSafety.values()) {
        assertThat(scene.state(safety)).isEqualTo(state);
      }
    }

    boolean wasRepeated(ProviderSafety safety) {
      return switch (killedAt) {
        case CLAIMED -> true;
        case COMPLETED -> false;
        default -> NoticeTables.isRepeatable(safety);
      };
    }
  }
}
