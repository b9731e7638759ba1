package dev.handofffence.handoff;

import static dev.handofffence.fixture.ApplicationSchema.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.handofffence.CancellationToken;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.MappedSchema;
import org.jooq.conf.RenderMapping;
import org.jooq.conf.Settings;
import org.jooq.conf.StatementType;
import org.jooq.conf.ThrowExceptions;
import org.jooq.impl.DSL;
import org.jooq.impl.DataSourceConnectionProvider;
import org.jooq.impl.DefaultConfiguration;
import org.jooq.impl.DefaultConnectionProvider;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

/** The transactions that applications really have (protocol section 5). */
class CallerConfigurationTest extends HandoffScene {

  @Test
  void jooqTransaction_works() throws Exception {
    try (var connection = database.runtime().getConnection()) {
      DSLContext dsl = DSL.using(connection, SQLDialect.POSTGRES);
      assertPrepared("jooq", () -> dsl.transactionResult(tx -> hand(tx, "jooq")));
    }
  }

  @Test
  void jooqNestedTransactions_aroundAndInside_work() throws Exception {
    try (var connection = database.runtime().getConnection()) {
      DSLContext dsl = DSL.using(connection, SQLDialect.POSTGRES);
      assertPrepared(
          "nested",
          () ->
              dsl.transactionResult(
                  outer ->
                      outer
                          .dsl()
                          .transactionResult(
                              inner ->
                                  work.run(
                                      fence ->
                                          fence
                                              .execute(
                                                  inner,
                                                  (tx, token) ->
                                                      tx.dsl()
                                                          .transactionResult(
                                                              deepest -> insert(deepest, "nested")),
                                                  CancellationToken.none())
                                              .orElseThrow()))));
    }
  }

  @Test
  void jooqNestedTransactionThatFailsInside_isRolledBackAlone() throws Exception {
    try (var connection = database.runtime().getConnection()) {
      DSLContext dsl = DSL.using(connection, SQLDialect.POSTGRES);
      assertPrepared(
          "survivor",
          () ->
              dsl.transactionResult(
                  tx ->
                      work.run(
                          fence ->
                              fence
                                  .execute(
                                      tx,
                                      (c, token) -> {
                                        assertThatThrownBy(
                                                () ->
                                                    c.dsl()
                                                        .transaction(
                                                            inner -> {
                                                              insert(inner, "failing");
                                                              throw new IllegalStateException();
                                                            }))
                                            .isInstanceOf(IllegalStateException.class);
                                        return insert(c, "survivor");
                                      },
                                      CancellationToken.none())
                                  .orElseThrow())));
      assertThat(application.isRecorded("failing")).isFalse();
    }
  }

  @Test
  void defaultConnectionProvider_works() throws Exception {
    Configuration configuration =
        new DefaultConfiguration()
            .set(SQLDialect.POSTGRES)
            .set(new DefaultConnectionProvider(caller.connection()));
    assertPrepared(
        "provider",
        () -> {
          HandoffResult result = hand(configuration, "provider");
          caller.commit();
          return result;
        });
  }

  @Test
  void pooledConnection_works() throws Exception {
    try (HikariDataSource pool = pool()) {
      DSLContext dsl = DSL.using(pool, SQLDialect.POSTGRES);
      assertPrepared("pool", () -> dsl.transactionResult(tx -> hand(tx, "pool")));
    }
  }

  @Test
  void springTransaction_works() throws Exception {
    try (HikariDataSource pool = pool()) {
      TransactionTemplate spring = new TransactionTemplate(new DataSourceTransactionManager(pool));
      DSLContext dsl =
          DSL.using(
              new DataSourceConnectionProvider(new TransactionAwareDataSourceProxy(pool)),
              SQLDialect.POSTGRES);
      assertPrepared(
          "spring",
          () ->
              spring.execute(
                  status -> {
                    try {
                      return hand(dsl.configuration(), "spring");
                    } catch (Exception e) {
                      throw new IllegalStateException(e);
                    }
                  }));
    }
  }

  @Test
  void hostileSettings_changeNothing() throws Exception {
    Settings hostile =
        new Settings()
            .withStatementType(StatementType.STATIC_STATEMENT)
            .withThrowExceptions(ThrowExceptions.THROW_NONE)
            .withQueryTimeout(1)
            .withFetchSize(1)
            .withMaxRows(0)
            .withRenderMapping(
                new RenderMapping()
                    .withSchemata(new MappedSchema().withInput("durable").withOutput("nowhere")));
    try (var connection = database.runtime().getConnection()) {
      DSLContext dsl = DSL.using(connection, SQLDialect.DEFAULT, hostile);
      assertPrepared("hostile", () -> dsl.transactionResult(tx -> hand(tx, "hostile")));
    }
  }

  @Test
  void callersOwnSavepoint_undoesAPreparedHandoff() throws Exception {
    var mine = caller.connection().setSavepoint("mine");
    assertThat(hand((tx, token) -> record(tx, "undone")).orElseThrow().handoffPrepared()).isTrue();
    caller.connection().rollback(mine);
    caller.commit();

    assertThat(application.isRecorded("undone")).isFalse();
  }

  @FunctionalInterface
  private interface Handoff {
    HandoffResult run() throws Exception;
  }

  private void assertPrepared(String operation, Handoff handoff) throws Exception {
    assertThat(handoff.run().handoffPrepared()).isTrue();
    assertThat(application.isRecorded(operation)).isTrue();
    assertNothingLocked();
  }

  private HandoffResult hand(Configuration transaction, String operation) throws Exception {
    return work.run(
        fence ->
            fence
                .execute(
                    transaction, (tx, token) -> insert(tx, operation), CancellationToken.none())
                .orElseThrow());
  }

  private static boolean insert(Configuration transaction, String operation) {
    return transaction
            .dsl()
            .execute("INSERT INTO app.ledger VALUES ('" + operation + "') ON CONFLICT DO NOTHING")
        == 1;
  }

  private HikariDataSource pool() {
    HikariConfig config = new HikariConfig();
    config.setDataSource(database.runtime());
    config.setMaximumPoolSize(2);
    return new HikariDataSource(config);
  }
}
