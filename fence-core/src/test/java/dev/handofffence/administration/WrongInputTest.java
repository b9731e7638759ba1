package dev.handofffence.administration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.CommandId;
import dev.handofffence.DurableException;
import dev.handofffence.IdempotencyKey;
import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.ScopeId;
import dev.handofffence.StoreIdentity;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.TestRole;
import dev.handofffence.internal.work.Acceptance;
import dev.handofffence.internal.work.AcceptanceLimits;
import dev.handofffence.runtime.StoreAdministration;
import dev.handofffence.testing.PostgresServer;
import dev.handofffence.work.AcceptedWork;
import dev.handofffence.work.PayloadCodecs;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkRequest;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * What a first try gets wrong: each error says what to do, and none repeats the server's text, the
 * URL or a password.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WrongInputTest {

  private static final WorkDefinition<String, String> SEND =
      WorkDefinition.named("receipts.send", "v1")
          .payload(PayloadCodecs.text())
          .result(PayloadCodecs.text())
          .providerSafety(ProviderSafety.IDEMPOTENT)
          .build();

  private final DurableDatabase database = DurableDatabase.create();

  @AfterAll
  void close() {
    database.close();
  }

  @Test
  void missingSchema_saysToMigrate() {
    PostgresServer server = PostgresServer.shared();
    String empty = server.createDatabase();
    try {
      assertThat(accept(server.superuser(empty), database.store()))
          .isEqualTo(OperationResult.failure(Problem.SCHEMA_MISSING));
      assertThat(Problem.SCHEMA_MISSING.fix()).contains("Apply the Flyway migrations");
    } finally {
      server.dropDatabase(empty);
    }
  }

  @Test
  void wrongStoreIdAndWrongEpoch_areToldApart() {
    assertThat(
            accept(
                database.runtime(), StoreIdentity.of(UUID.randomUUID(), database.store().epoch())))
        .isEqualTo(OperationResult.failure(Problem.STORE_MISMATCH));
    assertThat(
            accept(
                database.runtime(),
                StoreIdentity.of(database.store().storeId(), UUID.randomUUID())))
        .isEqualTo(OperationResult.failure(Problem.EPOCH_MISMATCH));
  }

  @Test
  void unreachableServer_isUnavailable() throws Exception {
    assertUnavailable(
        source("jdbc:postgresql://127.0.0.1:" + freePort() + "/db"), "SQLSTATE 08001");
  }

  @Test
  void unknownDatabase_isUnavailable() {
    String url = database.jdbcUrl().replace(database.name(), "no_such_database");

    assertUnavailable(source(url), "SQLSTATE 3D000, the database does not exist");
  }

  @Test
  void unknownRole_isUnavailable() {
    PGSimpleDataSource source = source(database.jdbcUrl());
    source.setUser("fence_it_nobody");
    source.setPassword("secret");

    assertThatThrownBy(() -> StoreAdministration.of(source).status())
        .isInstanceOf(DurableException.class)
        .hasMessageContaining("DUR103")
        .hasMessageContaining("SQLSTATE 28")
        .hasMessageNotContaining("secret")
        .hasMessageNotContaining("nobody")
        .hasCauseInstanceOf(SQLException.class);
  }

  @Test
  void wrongUrl_isUnavailable() {
    assertUnavailable(
        new DriverManagerDataSource("jdbc:postgres://127.0.0.1/db"), "SQLSTATE 08001");
    assertUnavailable(
        new AbstractDataSource() {
          @Override
          public Connection getConnection() {
            throw new IllegalArgumentException("a pool that dislikes its URL");
          }

          @Override
          public Connection getConnection(String user, String password) {
            return getConnection();
          }
        },
        "is the JDBC URL right");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          28P01 | the password or the role is wrong
          28000 | the role does not exist
          53300 | the server has no connection left
          57P03 | the server is starting or stopping
          08006 | the connection failed or was lost
          """)
  void refusedConnection_saysWhyByItsState(String state, String meaning) {
    assertUnavailable(
        new AbstractDataSource() {
          @Override
          public Connection getConnection() throws SQLException {
            throw new SQLException("server text", state);
          }

          @Override
          public Connection getConnection(String user, String password) throws SQLException {
            return getConnection();
          }
        },
        "SQLSTATE " + state + ", " + meaning);
  }

  @Test
  void roleWithoutGrants_saysToRunTheScript() {
    try (TestRole role = TestRole.create(database, "")) {
      assertThatThrownBy(() -> accept(role.connections(), database.store()))
          .isInstanceOf(DataAccessException.class)
          .hasMessageContaining("SQLSTATE 42501")
          .hasMessageContaining("run db/roles/grant-roles.sql")
          .hasMessageNotContaining("permission denied");
    }
  }

  @Test
  void oldServer_isRefusedWithItsVersion() {
    DataSource old = reportingVersion(15);

    assertThatThrownBy(() -> StoreAdministration.of(old).status())
        .isInstanceOf(DurableException.class)
        .hasMessageContaining("the server is PostgreSQL 15; 16 or newer is needed");
    assertThatThrownBy(() -> accept(old, database.store()))
        .hasMessageContaining("16 or newer is needed");
    assertThat(StoreAdministration.of(reportingVersion(16)).status().schema().problem()).isEmpty();
  }

  @Test
  void sessionThatTheServerEnds_isUnavailable() throws SQLException {
    try (Connection caller = database.runtime().getConnection()) {
      caller.setAutoCommit(false);
      try (var statement = caller.createStatement();
          var rows = statement.executeQuery("SELECT pg_backend_pid()")) {
        rows.next();
        database.ask("SELECT pg_terminate_backend(" + rows.getInt(1) + ", 5000)");
      }

      assertThatThrownBy(
              () ->
                  new Acceptance(database.store(), database.runtime(), AcceptanceLimits.standard())
                      .accept(caller, request()))
          .isInstanceOf(DurableException.class)
          .hasMessageContaining("DUR103");
    }
  }

  private void assertUnavailable(DataSource source, String observed) {
    assertThatThrownBy(() -> StoreAdministration.of(source).status())
        .isInstanceOf(DurableException.class)
        .hasMessageContaining("DUR103")
        .hasMessageContaining(observed)
        .hasMessageContaining("Check the JDBC URL")
        .hasMessageNotContaining("server text")
        .hasCauseInstanceOf(Exception.class);
    assertThatThrownBy(() -> accept(source, database.store()))
        .isInstanceOf(DurableException.class)
        .hasMessageContaining("DUR103");
  }

  private static OperationResult<AcceptedWork> accept(DataSource source, StoreIdentity store) {
    return new Acceptance(store, source, AcceptanceLimits.standard()).accept(request());
  }

  private static WorkRequest<String, String> request() {
    return SEND.request(
        ScopeId.of("tenant-1"), CommandId.of("c1"), IdempotencyKey.of("k1"), "payload");
  }

  /** The real database, whose driver claims to have met another version. */
  private DataSource reportingVersion(int major) {
    return new AbstractDataSource() {
      @Override
      public Connection getConnection() throws SQLException {
        Connection real = database.superuser().getConnection();
        DatabaseMetaData metaData = real.getMetaData();
        DatabaseMetaData claimed =
            (DatabaseMetaData)
                proxy(
                    DatabaseMetaData.class,
                    (p, method, arguments) ->
                        method.getName().equals("getDatabaseMajorVersion")
                            ? major
                            : method.invoke(metaData, arguments));
        return (Connection)
            proxy(
                Connection.class,
                (p, method, arguments) ->
                    method.getName().equals("getMetaData")
                        ? claimed
                        : method.invoke(real, arguments));
      }

      @Override
      public Connection getConnection(String user, String password) throws SQLException {
        return getConnection();
      }
    };
  }

  private static Object proxy(Class<?> type, InvocationHandler handler) {
    return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler);
  }

  private static PGSimpleDataSource source(String url) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url);
    source.setUser(DurableDatabase.RUNTIME);
    source.setPassword(DurableDatabase.PASSWORD);
    return source;
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
