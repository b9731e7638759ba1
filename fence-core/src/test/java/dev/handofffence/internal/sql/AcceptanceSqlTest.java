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
import java.util.TreeMap;
import java.util.UUID;
import org.jooq.Record;
import org.jooq.Result;
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
        Script.of(
            AcceptanceSql.BIND_SCOPE,
            AcceptanceSql.READ_SCOPE,
            AcceptanceSql.ACCEPT,
            AcceptanceSql.READ_IDENTITIES);

    try (Connection connection = database.runtime().getConnection()) {
      List<Result<Record>> results =
          new RoundTrip().add(withoutTheLock, binds()).send(connection, null);

      assertThat(results.get(0)).as("scope").isEmpty();
      assertThat(results.get(1).get(0).get(AcceptanceSql.KNOWN_WORK_ID)).isNull();
    }
    assertThat(database.ask("SELECT count(*) FROM durable.work_identity")).isEqualTo("0");
  }

  /** The epoch can be rotated between the trip that found the scope absent and this one. */
  @Test
  void firstUse_createsNoScopeForAnotherEpoch() throws SQLException {
    StoreIdentity rotated = StoreIdentity.of(database.store().storeId(), UUID.randomUUID());
    try (Connection connection = database.runtime().getConnection()) {
      AcceptanceTrip.firstInto(rotated, new TreeMap<>(Map.of("tenant-1", List.of(work()))))
          .sendInOwnTransaction(connection);
    }
    assertThat(database.ask("SELECT count(*) FROM durable.scope")).isEqualTo("0");
  }

  private Binds binds() {
    Binds binds =
        new Binds()
            .set(ScopeSql.SCOPE_ID, "tenant-1")
            .set(AcceptanceSql.STORE_ID, database.store().storeId())
            .set(AcceptanceSql.EPOCH, database.store().epoch());
    RequestTable.bind(binds, List.of(work()));
    return binds;
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
