package dev.handofffence.internal.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import dev.handofffence.generated.type.PermitState;
import dev.handofffence.generated.type.ProviderSafety;
import dev.handofffence.generated.type.WorkState;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.claim.Completion;
import dev.handofffence.internal.claim.ExitKind;
import dev.handofffence.internal.state.WorkFacts;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What becomes of a report that is sent again, because its answer was lost. */
class CompletionJudgeTest {

  private static final UUID EPOCH = UUID.randomUUID();
  private static final Claim CLAIM =
      new Claim(
          ScopeId.of("tenant"), new WorkId(UUID.randomUUID()), 1, 1, UUID.randomUUID(), 1, EPOCH);
  private static final Completion AMBIGUOUS =
      Completion.withoutResult(CLAIM, ExitKind.AMBIGUOUS, "request_timed_out");

  @Test
  void reportInDoubt_thatWasRecorded_isNotKeptAgain() {
    assertThat(judge(suspended(1, true, EPOCH), true))
        .isEqualTo(new Verdict.Leave(Ending.SUSPENDED));
  }

  @Test
  void reportNotInDoubt_thatSaysWhatWasDecided_isKept() {
    assertIsKept(judge(suspended(1, true, EPOCH), false));
  }

  @Test
  void reportInDoubt_whoseScopeWasDisabled_isKept() {
    assertIsKept(judge(suspended(1, false, EPOCH), true));
  }

  @Test
  void reportInDoubt_whoseWorkWasReleasedToAnotherEpoch_isKept() {
    assertIsKept(judge(suspended(1, true, UUID.randomUUID()), true));
  }

  @Test
  void reportInDoubt_whoseWorkWasTakenOver_isKept() {
    assertIsKept(judge(suspended(2, true, EPOCH), true));
  }

  private static void assertIsKept(Verdict verdict) {
    assertThat(verdict).isEqualTo(new Verdict.Quarantine(CLAIM, "request_timed_out"));
  }

  private static Verdict judge(WorkFacts facts, boolean inDoubt) {
    return CompletionJudge.judge(facts, AMBIGUOUS, inDoubt);
  }

  private static WorkFacts suspended(int attempt, boolean scopeActive, UUID epoch) {
    return new WorkFacts(
        WorkState.SUSPENDED,
        4,
        attempt,
        attempt,
        null,
        1,
        epoch,
        false,
        ProviderSafety.RECONCILE_BEFORE_RETRY,
        scopeActive,
        WorkFacts.Lease.ABSENT,
        new WorkFacts.Limits(false, false, false, false),
        PermitState.UNRESOLVED,
        0,
        false);
  }
}
