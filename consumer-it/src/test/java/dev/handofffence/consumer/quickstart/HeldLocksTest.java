package dev.handofffence.consumer.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.ScopeId;
import dev.handofffence.consumer.ConsumerDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeldLocksTest {

  private final ConsumerDatabase database = ConsumerDatabase.create();
  private final HeldLocks locks = new HeldLocks(database.superuser(), ScopeId.of("shop-1"));

  @AfterEach
  void close() {
    database.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"FOR KEY SHARE", "FOR SHARE", "FOR NO KEY UPDATE", "FOR UPDATE"})
  void rowLock_isFoundWithItsMode(String mode) throws SQLException {
    database.execute(
        "INSERT INTO consumer.authority (scope_id, operation_key, is_authorized)"
            + " VALUES ('shop-1', 'locked', true), ('shop-1', 'free', true)");

    assertFoundWhileHeld(
        "SELECT FROM consumer.authority WHERE operation_key = 'locked' " + mode,
        new HeldLock("authority", mode));
  }

  @Test
  void advisoryLock_isFoundForItsOwnScopeOnly() throws SQLException {
    assertFoundWhileHeld(
        "SELECT pg_advisory_xact_lock_shared(durable.scope_lock_key('shop-1'))",
        new HeldLock("scope", "advisory, shared"));
    assertFoundWhileHeld("SELECT pg_advisory_xact_lock_shared(durable.scope_lock_key('shop-2'))");
  }

  private void assertFoundWhileHeld(String locking, HeldLock... expected) throws SQLException {
    assertThat(locks.find()).isEmpty();
    try (var holder = database.superuser().getConnection();
        var statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute(locking);
      assertThat(locks.find()).containsExactly(expected);
      holder.rollback();
    }
  }
}
