package dev.handofffence.internal.sql;

import dev.handofffence.generated.type.ScopeState;
import dev.handofffence.internal.store.StoreRow;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one trip of acceptance found.
 *
 * @param isolation level of the transaction, as PostgreSQL names it
 * @param store null when the store row is absent
 * @param requests those of the trip
 */
public record AcceptanceAnswer(
    String isolation, @Nullable StoreRow store, List<RequestAnswer> requests) {

  /**
   * The scope of one request, and the Work that its command id or its idempotency key belongs to
   * now.
   *
   * @param position place of the request in its batch
   * @param scope null when the scope was absent: nothing was written, and a first use is in order
   * @param workId null when neither is known: nothing was written
   * @param sameContent whether every known one was accepted with the request's fingerprint
   */
  public record RequestAnswer(
      int position,
      @Nullable ScopeState scope,
      @Nullable UUID workId,
      @Nullable UUID activityId,
      boolean sameContent) {

    static RequestAnswer accepted(NewWork work) {
      return new RequestAnswer(
          work.position(), ScopeState.ACTIVE, work.workId(), work.activityId(), true);
    }
  }
}
