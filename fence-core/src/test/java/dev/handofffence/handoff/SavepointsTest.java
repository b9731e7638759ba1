package dev.handofffence.handoff;

import static dev.handofffence.fixture.ApplicationSchema.mark;
import static dev.handofffence.fixture.ApplicationSchema.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.CancellationToken;
import java.sql.Connection;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The savepoints of a call and those of the caller, set by hand, by jOOQ or by Spring, leave each
 * other alone.
 */
class SavepointsTest extends HandoffScene {

  private static final String FAILURE = "rolled back on purpose";

  @ParameterizedTest
  @EnumSource
  void callersSavepoint_survivesEveryEnding(Ending ending) throws Exception {
    assertCallersSavepointSurvives(ending, "mine");
  }

  @ParameterizedTest
  @EnumSource
  void callersSavepointOfTheFencesName_survivesEveryEnding(Ending ending) throws Exception {
    assertCallersSavepointSurvives(ending, "durable_op");
  }

  /** What was written before it stays; what was written after it, the handoff included, goes. */
  private void assertCallersSavepointSurvives(Ending ending, String savepoint) throws Exception {
    String operation = savepoint + " " + ending;
    mark(caller.connection(), "before " + operation);
    caller.execute("SAVEPOINT " + savepoint);
    mark(caller.connection(), "after " + operation);

    ending.reach(database, work, caller.connection(), operation);

    assertThat(caller.ask("SELECT count(*) FROM app.ledger WHERE operation = '" + operation + "'"))
        .isEqualTo(ending.keepsWrites() ? "1" : "0");
    caller.execute("ROLLBACK TO SAVEPOINT " + savepoint);
    caller.execute("RELEASE SAVEPOINT " + savepoint);
    caller.commit();
    assertThat(application.isMarked("before " + operation)).isTrue();
    assertThat(application.isMarked("after " + operation)).isFalse();
    assertThat(application.isRecorded(operation)).isFalse();
  }

  @Test
  void savepointsOfTheCallback_areItsOwn() throws Exception {
    hand(
        (tx, token) -> {
          record(tx, "kept by the callback");
          caller.execute("SAVEPOINT step");
          record(tx, "undone by the callback");
          caller.execute("ROLLBACK TO SAVEPOINT step");
          return true;
        });
    caller.commit();
    assertThat(application.isRecorded("kept by the callback")).isTrue();
    assertThat(application.isRecorded("undone by the callback")).isFalse();
  }

  @Test
  void jooqNestedTransactionInTheCallback_rollsBackAlone() throws Exception {
    jooq()
        .transaction(
            outer ->
                hand(
                    outer,
                    transaction -> {
                      record(transaction, "jooq outer");
                      assertRolledBack(
                          () -> transaction.dsl().transaction(inner -> failAfter(inner, "inner")));
                      transaction.dsl().transaction(inner -> record(inner, "jooq second"));
                      return true;
                    }));
    assertThat(application.isRecorded("jooq outer")).isTrue();
    assertThat(application.isRecorded("jooq second")).isTrue();
    assertThat(application.isRecorded("inner")).isFalse();
  }

  @Test
  void jooqNestedTransactionAroundTheFence_takesTheHandoffWithIt() throws Exception {
    jooq()
        .transaction(
            outer -> {
              record(outer, "jooq around");
              assertRolledBack(
                  () ->
                      outer
                          .dsl()
                          .transaction(
                              inner -> {
                                hand(inner, transaction -> record(transaction, "jooq within"));
                                throw new IllegalStateException(FAILURE);
                              }));
              outer
                  .dsl()
                  .transaction(
                      inner -> hand(inner, transaction -> record(transaction, "jooq nested")));
            });
    assertThat(application.isRecorded("jooq around")).isTrue();
    assertThat(application.isRecorded("jooq within")).isFalse();
    assertThat(application.isRecorded("jooq nested")).isTrue();
  }

  @Test
  void springNestedTransactionInTheCallback_rollsBackAlone() {
    Spring spring = new Spring();
    spring.required.executeWithoutResult(
        status ->
            spring.hand(
                () -> {
                  spring.record("spring outer");
                  assertRolledBack(
                      () ->
                          spring.nested.executeWithoutResult(
                              nested -> spring.failAfter("spring inner")));
                  spring.nested.executeWithoutResult(nested -> spring.record("spring second"));
                }));
    assertThat(application.isRecorded("spring outer")).isTrue();
    assertThat(application.isRecorded("spring second")).isTrue();
    assertThat(application.isRecorded("spring inner")).isFalse();
  }

  @Test
  void springNestedTransactionAroundTheFence_takesTheHandoffWithIt() {
    Spring spring = new Spring();
    spring.required.executeWithoutResult(
        status -> {
          spring.record("spring around");
          assertRolledBack(
              () ->
                  spring.nested.executeWithoutResult(
                      nested -> {
                        spring.hand(() -> spring.record("spring within"));
                        throw new IllegalStateException(FAILURE);
                      }));
          spring.nested.executeWithoutResult(
              nested -> spring.hand(() -> spring.record("spring nested")));
        });
    assertThat(application.isRecorded("spring around")).isTrue();
    assertThat(application.isRecorded("spring within")).isFalse();
    assertThat(application.isRecorded("spring nested")).isTrue();
  }

  /** A callback that works with jOOQ. */
  private interface JooqStep {
    boolean run(Configuration transaction) throws Exception;
  }

  private void hand(Configuration transaction, JooqStep step) throws Exception {
    work.run(
            fence ->
                fence.execute(transaction, (tx, token) -> step.run(tx), CancellationToken.none()))
        .orElseThrow();
  }

  private DSLContext jooq() {
    return DSL.using(database.runtime(), SQLDialect.POSTGRES);
  }

  private static void failAfter(Configuration transaction, String operation) {
    record(transaction, operation);
    throw new IllegalStateException(FAILURE);
  }

  private static void assertRolledBack(Runnable transaction) {
    assertThatThrownBy(transaction::run).hasMessageContaining(FAILURE);
  }

  /** Spring's JDBC transactions on one data source. */
  private final class Spring {

    private final javax.sql.DataSource source = database.runtime();
    private final DataSourceTransactionManager manager = new DataSourceTransactionManager(source);
    private final TransactionTemplate required = new TransactionTemplate(manager);
    private final TransactionTemplate nested = new TransactionTemplate(manager);
    private final JdbcTemplate jdbc = new JdbcTemplate(source);

    Spring() {
      nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
    }

    void record(String operation) {
      jdbc.update("INSERT INTO app.ledger VALUES (?)", operation);
    }

    void failAfter(String operation) {
      record(operation);
      throw new IllegalStateException(FAILURE);
    }

    /** Hands off on the connection that Spring has bound to this thread. */
    void hand(Runnable step) {
      Connection bound = DataSourceUtils.getConnection(source);
      try {
        work.handOff(
                bound,
                (transaction, token) -> {
                  step.run();
                  return true;
                },
                CancellationToken.none())
            .orElseThrow();
      } catch (Exception e) {
        throw new AssertionError(e);
      } finally {
        DataSourceUtils.releaseConnection(bound, source);
      }
    }
  }
}
