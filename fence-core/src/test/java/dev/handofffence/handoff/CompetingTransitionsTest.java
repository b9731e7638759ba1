package dev.handofffence.handoff;

import static dev.handofffence.fixture.ApplicationSchema.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.OperationResult;
import dev.handofffence.fixture.Background;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.Waits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What takes the effect away from a claim and a handoff of that claim exclude each other: whoever
 * comes second waits for the first, and sees what it did.
 */
class CompetingTransitionsTest extends HandoffScene {

  @ParameterizedTest
  @EnumSource
  void transition_waitsForTheHandoffsCommit(Transition transition) throws Exception {
    assertThat(hand((tx, token) -> record(tx, "first " + transition)).isSuccess()).isTrue();
    try (CallerSession competitor = transition.session(database)) {
      var second =
          Background.start(
              () -> {
                transition.perform(competitor, work);
                competitor.commit();
                return application.isRecorded("first " + transition);
              });
      Waits.untilBlockedBy(database, caller.backend());
      assertThat(second.isDone()).isFalse();

      caller.commit();
      assertThat(second.result()).as("the transition sees the ledger").isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void transitionBefore_isARefusal(Transition transition) throws Exception {
    try (CallerSession competitor = transition.session(database)) {
      transition.perform(competitor, work);
      competitor.commit();
    }
    assertThat(handWithoutReachingTheCallback()).isEqualTo(refusal(transition));
    assertNothingLocked();
  }

  @ParameterizedTest
  @EnumSource
  void transitionUnderWay_makesTheHandoffWaitAndRefuse(Transition transition) throws Exception {
    int backend = caller.backend();
    try (CallerSession competitor = transition.session(database)) {
      transition.perform(competitor, work);
      var second = Background.start(this::handWithoutReachingTheCallback);
      Waits.untilBlockedBy(database, competitor.backend());
      assertThat(second.isDone()).as("backend %s waits", backend).isFalse();

      competitor.commit();
      assertThat(second.result()).isEqualTo(refusal(transition));
    }
    assertNothingLocked();
  }

  @ParameterizedTest
  @EnumSource
  void transitionThatRollsBack_letsTheHandoffThrough(Transition transition) throws Exception {
    try (CallerSession competitor = transition.session(database)) {
      transition.perform(competitor, work);
      var second = Background.start(() -> hand((tx, token) -> record(tx, "late " + transition)));
      Waits.untilBlockedBy(database, competitor.backend());

      competitor.connection().rollback();
      assertThat(second.result().orElseThrow().handoffPrepared()).isTrue();
    }
  }

  /** The pump goes on renewing: a slow handoff does not lose its lease by its own locks. */
  @Test
  void renewal_passesWhileAHandoffIsOpen() throws Exception {
    assertThat(hand((tx, token) -> true).isSuccess()).isTrue();
    try (CallerSession pump = CallerSession.open(database)) {
      pump.execute("SET LOCAL lock_timeout = '1s'");
      pump.execute("SELECT set_config('durable.scope_id', '" + work.scopeId() + "', true)");
      pump.execute(
          "UPDATE durable.dispatch SET lease_expires_at = lease_expires_at + interval '1 minute'"
              + " WHERE "
              + work.key());
      pump.commit();
    }
    assertAllLocked();
  }

  private static OperationResult<HandoffResult> refusal(Transition transition) {
    return OperationResult.failure(transition.refusal());
  }
}
