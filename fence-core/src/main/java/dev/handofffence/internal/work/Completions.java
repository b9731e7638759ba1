package dev.handofffence.internal.work;

import dev.handofffence.StoreIdentity;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.claim.Completion;
import dev.handofffence.internal.claim.ExitKind;
import dev.handofffence.internal.sql.CompletionSql;
import dev.handofffence.internal.store.StoreCheck;
import dev.handofffence.internal.transaction.StoreConnection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Records how attempts ended: the plain endings in batches, the others one by one. Thread-safe. */
public final class Completions {

  /** An executor that left its transaction open must not hold up the others. */
  private static final Duration PATIENCE = Duration.ofMillis(50);

  private final StoreIdentity store;
  private final Settlement settlement;

  public Completions(StoreIdentity store) {
    this.store = store;
    this.settlement = new Settlement(store, PATIENCE);
  }

  /**
   * Records completions; one that is not in the result was busy and is worth another try.
   *
   * @param completions all of one owner
   * @param inDoubt those of them that were sent before without an answer
   * @throws dev.handofffence.internal.store.UnusableStoreException when nothing may be done here
   */
  public Map<Completion, Ending> record(
      StoreConnection connection, List<Completion> completions, Set<Completion> inDoubt)
      throws SQLException {
    Map<Completion, Ending> endings = new LinkedHashMap<>();
    List<Completion> successes = ofKind(completions, Set.of(ExitKind.SUCCEEDED));
    if (!successes.isEmpty()) {
      done(
          endings,
          connection.inOneTrip(c -> CompletionSql.succeed(c, store, successes)),
          Ending.SUCCEEDED);
    }
    List<Completion> repeats =
        ofKind(completions, Set.of(ExitKind.RETRY_BEFORE_EFFECT, ExitKind.AMBIGUOUS));
    if (!repeats.isEmpty()) {
      done(
          endings,
          connection.inOneTrip(c -> CompletionSql.retry(c, store, repeats)),
          Ending.RETRIED);
    }
    for (Completion other : without(completions, endings.keySet())) {
      Ending ending = recordOne(connection, other, inDoubt.contains(other));
      if (ending != Ending.BUSY) {
        endings.put(other, ending);
      }
    }
    return endings;
  }

  private void done(
      Map<Completion, Ending> endings, CompletionSql.CompletionBatch batch, Ending ending) {
    StoreCheck.require(batch.store(), store);
    batch.completed().forEach(completion -> endings.put(completion, ending));
  }

  private Ending recordOne(StoreConnection connection, Completion completion, boolean inDoubt)
      throws SQLException {
    Claim claim = completion.claim();
    return settlement.settle(
        connection,
        claim.scope(),
        claim.workId(),
        facts -> CompletionJudge.judge(facts, completion, inDoubt));
  }

  private static List<Completion> ofKind(List<Completion> completions, Set<ExitKind> kinds) {
    return completions.stream().filter(c -> kinds.contains(c.kind())).toList();
  }

  private static Set<Completion> without(List<Completion> completions, Set<Completion> done) {
    Set<Completion> rest = new LinkedHashSet<>(completions);
    rest.removeAll(new ArrayList<>(done));
    return rest;
  }
}
