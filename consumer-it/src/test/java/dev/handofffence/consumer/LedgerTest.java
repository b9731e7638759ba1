package dev.handofffence.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.ActivityId;
import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import dev.handofffence.work.WorkEnvelope;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who gets the one row of a logical operation. */
class LedgerTest {

  private static final ScopeId SCOPE = ScopeId.of("shop-1");
  private static final UUID FIRST = UUID.fromString("00000000-0000-0000-0000-000000000001");
  private static final UUID SECOND = UUID.fromString("00000000-0000-0000-0000-000000000002");

  private final ConsumerDatabase database = ConsumerDatabase.create();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void operation_isPreparedOnceForEachAttempt() throws SQLException {
    assertThat(prepare(FIRST, 1)).isTrue();
    assertThat(prepare(FIRST, 1)).isFalse();
  }

  @Test
  void operation_isPreparedAgainByALaterAttemptOnly() throws SQLException {
    assertThat(prepare(FIRST, 2)).isTrue();
    assertThat(prepare(FIRST, 3)).isTrue();
    assertThat(prepare(FIRST, 2)).isFalse();
    assertThat(database.ask("SELECT attempt FROM consumer.ledger")).isEqualTo("3");
  }

  @Test
  void operation_staysWithItsActivity() throws SQLException {
    assertThat(prepare(FIRST, 1)).isTrue();
    assertThat(prepare(SECOND, 2)).isFalse();
    assertThat(database.ask("SELECT activity_id FROM consumer.ledger")).isEqualTo(FIRST.toString());
  }

  private boolean prepare(UUID activity, int attempt) throws SQLException {
    var work =
        new WorkEnvelope<>(
            SCOPE,
            new WorkId(activity),
            new ActivityId(activity),
            attempt,
            ReceiptFixture.receipt("r-1"));
    try (var transaction = ApplicationTransaction.begin(database.runtime(), SCOPE)) {
      boolean wrote = Ledger.prepare(transaction.dsl(), work);
      transaction.commit();
      return wrote;
    }
  }
}
