package dev.handofffence.consumer;

import static dev.handofffence.consumer.generated.Tables.AUTHORITY;
import static dev.handofffence.consumer.generated.Tables.LEDGER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.ScopeId;
import java.sql.SQLException;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The application's tables, seen by the role that runs it. */
class TenantIsolationTest {

  private static final ScopeId SHOP = ScopeId.of("shop-1");
  private static final ScopeId OTHER = ScopeId.of("shop-2");

  private final ConsumerDatabase database = ConsumerDatabase.create();

  @BeforeEach
  void grant() throws SQLException {
    try (var transaction = ApplicationTransaction.begin(database.runtime(), SHOP)) {
      Authorities.grantInitially(transaction.dsl(), SHOP, "may-send");
      transaction.commit();
    }
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void row_isSeenByItsTenant() throws SQLException {
    try (var transaction = ApplicationTransaction.begin(database.runtime(), SHOP)) {
      assertThat(Authorities.lockAndCheck(transaction.dsl(), SHOP, "may-send")).isTrue();
    }
  }

  @Test
  void row_isInvisibleToAnotherTenantAndToNone() throws SQLException {
    try (var transaction = ApplicationTransaction.begin(database.runtime(), OTHER)) {
      assertThat(Authorities.lockAndCheck(transaction.dsl(), SHOP, "may-send")).isFalse();
    }
    try (var transaction = ApplicationTransaction.begin(database.runtime())) {
      assertThat(transaction.dsl().fetchCount(AUTHORITY)).isZero();
      assertThat(transaction.dsl().fetchCount(LEDGER)).isZero();
    }
  }

  @Test
  void row_isNotWrittenForAnotherTenant() throws SQLException {
    try (var transaction = ApplicationTransaction.begin(database.runtime(), OTHER)) {
      assertThatThrownBy(() -> Authorities.grantInitially(transaction.dsl(), SHOP, "may-refund"))
          .isInstanceOfSatisfying(
              DataAccessException.class, e -> assertThat(e.sqlState()).isEqualTo("42501"));
    }
  }

  @Test
  void ledger_isNeitherDeletedNorGivenAway() throws SQLException {
    try (var transaction = ApplicationTransaction.begin(database.runtime(), SHOP)) {
      assertThatThrownBy(() -> transaction.dsl().deleteFrom(LEDGER).execute())
          .isInstanceOfSatisfying(
              DataAccessException.class, e -> assertThat(e.sqlState()).isEqualTo("42501"));
    }
    try (var transaction = ApplicationTransaction.begin(database.runtime(), SHOP)) {
      assertThatThrownBy(
              () -> transaction.dsl().update(LEDGER).set(LEDGER.SCOPE_ID, "shop-2").execute())
          .isInstanceOfSatisfying(
              DataAccessException.class, e -> assertThat(e.sqlState()).isEqualTo("42501"));
    }
  }
}
