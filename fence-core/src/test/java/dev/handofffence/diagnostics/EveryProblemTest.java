package dev.handofffence.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.Problem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every entry of the catalog comes out of the public surface, on a real database: a code that
 * nothing gives would be a page that nobody reaches.
 */
@Timeout(60)
class EveryProblemTest {

  private final ProblemScene scene = new ProblemScene();

  @AfterEach
  void close() {
    scene.close();
  }

  @ParameterizedTest
  @EnumSource
  void problem_comesOutOfThePublicSurface(Problem problem) throws Exception {
    assertThat(provoke(problem)).isEqualTo(problem);
  }

  /** Without a default: a new entry of the catalog does not compile until it is provoked here. */
  private Problem provoke(Problem problem) throws Exception {
    return switch (problem) {
      case INVALID_REQUEST -> scene.oversizedPayload();
      case TRANSACTION_REQUIRED -> scene.acceptanceWithoutATransaction();
      case COMMAND_CONFLICT -> scene.sameCommandWithAnotherContent();
      case STORE_UNAVAILABLE -> scene.databaseThatDoesNotExist();
      case CLAIM_LOST -> scene.fenceAfter("work", "lease_generation = lease_generation + 1");
      case LEASE_EXPIRED -> scene.fenceAfter("dispatch", "lease_expires_at = clock_timestamp()");
      case AMBIGUOUS_OUTCOME -> scene.suspendedByAnExecutorThatThrows();
      case SCOPE_DISABLED -> scene.acceptanceInADisabledScope();
      case EPOCH_MISMATCH -> scene.anotherEpochInitialised();
      case CONTRACT_UNAVAILABLE -> scene.suspendedByAFactoryThatThrows();
      case WORK_TERMINAL -> scene.cancellationOfCanceledWork();
      case WORK_ABSENT -> scene.cancellationOfUnknownWork();
      case REVISION_CONFLICT -> scene.cancellationOfAnEarlierRevision();
      case SCOPE_ABSENT -> scene.cancellationInAnUnknownScope();
      case SCOPE_GENERATION_CHANGED -> scene.fenceAfter("scope", "generation = generation + 1");
      case STORE_MISMATCH -> scene.acceptanceInAnotherStore();
      case TRANSITION_REJECTED -> scene.retryOfReadyWork();
      case PROOF_REQUIRED -> scene.resolutionWithoutItsResult();
      case COMMAND_IN_PROGRESS -> scene.cancellationOfLockedWork();
      case NO_LIVE_INVOCATION -> scene.fenceAfterItsInvocation();
      case PERMIT_INVALID ->
          scene.fenceAfter("permit", "state = 'no_effect', settled_at = clock_timestamp()");
      case CANCELLATION_REQUESTED ->
          scene.fenceAfter("work", "cancel_requested_at = clock_timestamp()");
      case DEADLINE_PASSED -> scene.acceptanceAfterItsDeadline();
      case SCHEMA_MISSING -> scene.schemaAfter("ALTER SCHEMA durable RENAME TO elsewhere");
      case SCHEMA_TOO_OLD ->
          scene.schemaAfter(
              "UPDATE durable.store SET schema_version = 0, oldest_writer = 0, oldest_reader = 0");
      case SCHEMA_TOO_NEW ->
          scene.schemaAfter("UPDATE durable.store SET schema_version = 1000, oldest_writer = 1000");
      case SCHEMA_INCONSISTENT ->
          scene.schemaAfter("ALTER TABLE durable.work DISABLE ROW LEVEL SECURITY");
      case ACTIVATOR_STALE -> scene.hostWhosePassHangs();
      case WORKER_IDENTITY_CONFLICT -> scene.secondHostOfARuntime();
    };
  }
}
