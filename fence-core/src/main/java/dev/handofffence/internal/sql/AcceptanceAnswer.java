package dev.handofffence.internal.sql;

import dev.handofffence.generated.type.ScopeState;
import dev.handofffence.internal.store.StoreRow;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one trip of acceptance found.
 *
 * @param isolation level of the transaction, as PostgreSQL names it
 * @param store null when the store row is absent
 * @param scopes by scope id, those of the trip
 */
public record AcceptanceAnswer(
    String isolation, @Nullable StoreRow store, Map<String, ScopeAnswer> scopes) {

  /**
   * What was found in one scope.
   *
   * @param state null when the scope was absent: nothing was written, and a first use is in order
   */
  public record ScopeAnswer(@Nullable ScopeState state, List<KnownIdentity> identities) {}

  /**
   * The Work that the command id or the idempotency key of one request belongs to now.
   *
   * @param position place of the request in its batch
   * @param workId null when neither is known: nothing was written
   * @param sameContent whether every known one was accepted with the request's fingerprint
   */
  public record KnownIdentity(
      int position, @Nullable UUID workId, @Nullable UUID activityId, boolean sameContent) {}
}
