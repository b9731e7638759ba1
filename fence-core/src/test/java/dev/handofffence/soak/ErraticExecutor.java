package dev.handofffence.soak;

import dev.handofffence.CancellationToken;
import dev.handofffence.OperationResult;
import dev.handofffence.fixture.NoticeTables;
import dev.handofffence.handoff.HandoffResult;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkEnvelope;
import dev.handofffence.work.WorkExecutor;
import dev.handofffence.work.WorkExit;
import dev.handofffence.work.WorkInvocation;
import java.sql.Connection;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import javax.sql.DataSource;

/**
 * An executor that keeps to section 10 and has bad luck: it dawdles, gives up, loses answers and
 * throws, at every point, as the seed says.
 */
final class ErraticExecutor implements WorkExecutor<String, String> {

  private static final int SHORT_MILLIS = 15;
  private static final int LONG_MILLIS = 1_200;

  private final WorkInvocation invocation;
  private final ProviderSafety safety;
  private final DataSource database;
  private final long seed;

  ErraticExecutor(
      WorkInvocation invocation, ProviderSafety safety, DataSource database, long seed) {
    this.invocation = invocation;
    this.safety = safety;
    this.database = database;
    this.seed = seed;
  }

  @Override
  public WorkExit<String> execute(WorkEnvelope<String> work, CancellationToken cancellation)
      throws Exception {
    // Not Random: its first numbers are alike for seeds that are, and all attempts had one fate.
    var random = new SplittableRandom(seed ^ work.payload().hashCode() * 31L ^ work.attempt());
    double luck = random.nextDouble();
    dawdle(random);
    if (luck < 0.08) {
      return WorkExit.retryBeforeEffect("not_yet");
    } else if (luck < 0.10) {
      return WorkExit.failedWithoutEffect("unwanted");
    }
    throwIf(luck < 0.13, "before the handoff");
    Optional<WorkExit<String>> refused = handOff(work, cancellation, random);
    if (refused.isPresent()) {
      return refused.get();
    }
    dawdle(random);
    throwIf(luck < 0.17, "before the provider");
    cancellation.throwIfCancelled();
    NoticeTables.send(database, work.workId(), work.activityId(), work.attempt());
    dawdle(random);
    throwIf(luck < 0.20, "behind the provider");
    return luck < 0.23 ? WorkExit.ambiguous("no_answer") : WorkExit.succeeded("sent");
  }

  /** Empty when the handoff is committed. */
  private Optional<WorkExit<String>> handOff(
      WorkEnvelope<String> work, CancellationToken cancellation, SplittableRandom random)
      throws Exception {
    try (Connection transaction = database.getConnection()) {
      transaction.setAutoCommit(false);
      try {
        return handOff(transaction, work, cancellation, random);
      } catch (CancellationException e) {
        return Optional.of(WorkExit.retryBeforeEffect("cancelled"));
      } finally {
        transaction.rollback(); // does nothing behind a commit
      }
    }
  }

  private Optional<WorkExit<String>> handOff(
      Connection transaction,
      WorkEnvelope<String> work,
      CancellationToken cancellation,
      SplittableRandom random)
      throws Exception {
    OperationResult<HandoffResult> decision =
        invocation
            .handoffFence()
            .execute(
                transaction,
                (connection, token) -> NoticeTables.prepare(connection, work, safety),
                cancellation);
    if (decision instanceof OperationResult.Failure<HandoffResult> refused) {
      return Optional.of(WorkExit.retryBeforeEffect(refused.problem().code()));
    }
    HandoffResult handoff = decision.orElseThrow();
    if (!handoff.handoffPrepared()) {
      return Optional.of(WorkExit.ambiguous("prepared_earlier"));
    }
    dawdle(random, 50); // rarely: whoever rotates the epoch or disables the scope waits for it
    cancellation.throwIfCancelled();
    transaction.commit();
    invocation.transactions().requireCommitted(handoff.transactionId());
    return Optional.empty();
  }

  private static void throwIf(boolean unlucky, String where) {
    if (unlucky) {
      throw new IllegalStateException("Bad luck " + where);
    }
  }

  /** Now and then longer than a lease without renewal: there is always somebody late. */
  private static void dawdle(SplittableRandom random) throws InterruptedException {
    dawdle(random, 5);
  }

  private static void dawdle(SplittableRandom random, int rarity) throws InterruptedException {
    Thread.sleep(random.nextInt(random.nextInt(rarity) == 0 ? LONG_MILLIS : SHORT_MILLIS));
  }
}
