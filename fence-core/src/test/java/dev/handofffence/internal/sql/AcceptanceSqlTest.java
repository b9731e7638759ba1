package dev.handofffence.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.CommandId;
import dev.handofffence.IdempotencyKey;
import dev.handofffence.ScopeId;
import dev.handofffence.StoreIdentity;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.work.PayloadCodecs;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkDefinition;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AcceptanceSqlTest {

  private final DurableDatabase database = DurableDatabase.create();

  @AfterEach
  void close() {
    database.close();
  }

  /**
   * A scope can appear between the statement that locks it and the one that reads it: then it is
   * not locked, and must be as good as absent.
   */
  @Test
  void scopeThatIsNotLocked_isNeitherReadNorWrittenTo() throws SQLException {
    database.execute(
        "BEGIN; SELECT set_config('durable.scope_id', 'tenant-1', true);"
            + " INSERT INTO durable.scope (scope_id) VALUES ('tenant-1'); COMMIT");
    Script withoutTheLock =
        Script.of(AcceptanceEntrySql.ENTER_OWN, AcceptanceSql.ACCEPT, KnownIdentitySql.READ);

    try (Connection connection = database.runtime().getConnection()) {
      List<Rows> results = new RoundTrip().add(withoutTheLock, binds()).send(connection, null);

      Row known = results.get(2).get(0);
      assertThat(results.get(1).get(0).get(AcceptanceSql.ACCEPTED)).isEqualTo("0");
      assertThat(known.get(KnownIdentitySql.SCOPE_STATE)).as("scope").isNull();
      assertThat(known.get(KnownIdentitySql.WORK_ID)).isNull();
    }
    assertThat(database.ask("SELECT count(*) FROM durable.work_identity")).isEqualTo("0");
  }

  /** The epoch can be rotated between the trip that found the scope absent and this one. */
  @Test
  void firstUse_createsNoScopeForAnotherEpoch() throws SQLException {
    StoreIdentity rotated = StoreIdentity.of(database.store().storeId(), UUID.randomUUID());
    try (Connection connection = database.runtime().getConnection()) {
      AcceptanceTrip.firstInto(rotated, requests()).sendInOwnTransaction(connection);
    }
    assertThat(database.ask("SELECT count(*) FROM durable.scope")).isEqualTo("0");
  }

  private Binds binds() {
    Binds binds =
        new Binds()
            .set(AcceptanceEntrySql.SCOPE_IDS, "tenant-1")
            .set(AcceptanceEntrySql.STORE_ID, database.store().storeId())
            .set(AcceptanceEntrySql.EPOCH, database.store().epoch());
    new RequestRows(requests()).bind(binds);
    return binds;
  }

  private static SortedMap<String, List<NewWork>> requests() {
    return new TreeMap<>(Map.of("tenant-1", List.of(work())));
  }

  private static NewWork work() {
    return new NewWork(
        0,
        WorkDefinition.named("receipts.send", "v1")
            .payload(PayloadCodecs.text())
            .result(PayloadCodecs.text())
            .providerSafety(ProviderSafety.IDEMPOTENT)
            .build()
            .request(
                ScopeId.of("tenant-1"), CommandId.of("c1"), IdempotencyKey.of("k1"), "payload"),
        UUID.randomUUID(),
        UUID.randomUUID(),
        new byte[1],
        new byte[32],
        new byte[32]);
  }
}
