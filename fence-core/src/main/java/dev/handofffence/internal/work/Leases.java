package dev.handofffence.internal.work;

import dev.handofffence.StoreIdentity;
import dev.handofffence.internal.claim.Claim;
import dev.handofffence.internal.sql.LeaseSql;
import dev.handofffence.internal.store.StoreCheck;
import dev.handofffence.internal.transaction.StoreConnection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Renews leases. Thread-safe. */
public final class Leases {

  private final StoreIdentity store;

  public Leases(StoreIdentity store) {
    this.store = store;
  }

  /**
   * Renews what it can and returns the live leases; a claim that is not among them is lost.
   *
   * @param claims all of one owner
   * @throws dev.handofffence.internal.store.UnusableStoreException when nothing may be done here
   */
  public Map<Claim, LeaseSql.Lease> renew(StoreConnection connection, List<Claim> claims)
      throws SQLException {
    LeaseSql.LeaseBatch batch = connection.inOneTrip(c -> LeaseSql.renew(c, store, claims));
    StoreCheck.require(batch.store(), store);
    return batch.leases();
  }
}
