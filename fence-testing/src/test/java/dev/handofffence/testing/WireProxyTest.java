package dev.handofffence.testing;

import static dev.handofffence.testing.Failures.sqlState;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WireProxyTest {

  private static final String QUERY_CANCELED = "57014";
  private static final String ADMIN_SHUTDOWN = "57P01";

  private final PostgresServer server = PostgresServer.shared();
  private final String database = server.createDatabase();

  @AfterEach
  void drop() {
    server.dropDatabase(database);
  }

  @Test
  void cancellation_reachesTheServerAndIsNotCounted() throws SQLException {
    try (WireProxy proxy = server.proxy();
        Connection connection = connect(proxy);
        var statement = connection.createStatement()) {
      statement.setQueryTimeout(1);

      WireCount count =
          proxy.count(
              () ->
                  assertThat(sqlState(() -> statement.execute("SELECT pg_sleep(60)")))
                      .isEqualTo(QUERY_CANCELED));

      assertThat(count.roundTrips()).isEqualTo(1);
      assertThat(statement.execute("SELECT 1")).isTrue();
    }
  }

  @Test
  void lastWordsOfTheServer_reachTheClient() throws SQLException {
    try (WireProxy proxy = server.proxy();
        Connection connection = connect(proxy);
        var statement = connection.createStatement()) {
      String state =
          sqlState(() -> statement.execute("SELECT pg_terminate_backend(pg_backend_pid())"));

      assertThat(state).isEqualTo(ADMIN_SHUTDOWN);
    }
  }

  @Test
  void largeMessages_passBothWays() throws SQLException {
    String large = "ä".repeat(5_000_000);
    try (WireProxy proxy = server.proxy();
        Connection connection = connect(proxy);
        var echo = connection.prepareStatement("SELECT ?::text")) {
      echo.setString(1, large);
      try (var row = echo.executeQuery()) {
        row.next();
        assertThat(row.getString(1).equals(large)).isTrue();
      }
    }
  }

  @Test
  void delay_isPaidOncePerRoundTrip() throws SQLException {
    Duration oneWay = Duration.ofMillis(50);
    try (WireProxy proxy = server.proxy(oneWay);
        Connection connection = connect(proxy);
        var statement = connection.createStatement()) {
      long start = System.nanoTime();
      statement.execute("SELECT 1; SELECT 2; SELECT 3");
      long together = System.nanoTime() - start;
      for (String each : new String[] {"SELECT 1", "SELECT 2", "SELECT 3"}) {
        statement.execute(each);
      }
      long apart = System.nanoTime() - start - together;

      assertThat(together).isGreaterThan(oneWay.multipliedBy(2).toNanos());
      assertThat(apart).isGreaterThan(oneWay.multipliedBy(6).toNanos());
      assertThat(together).isLessThan(apart);
    }
  }

  /** The codes of SSLRequest and GSSENCRequest. */
  @ParameterizedTest
  @ValueSource(ints = {80877103, 80877104})
  void encryption_isDeclined(int request) throws IOException {
    try (WireProxy proxy = server.proxy();
        Socket socket = open(proxy);
        var out = new DataOutputStream(socket.getOutputStream())) {
      out.writeInt(8);
      out.writeInt(request);

      assertThat(socket.getInputStream().read()).isEqualTo('N');
    }
  }

  @Test
  void foreignProtocol_isReported() throws IOException {
    WireProxy proxy = server.proxy();
    try (Socket socket = open(proxy)) {
      socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }

    assertThatThrownBy(proxy::close).hasCauseInstanceOf(ProtocolException.class);
  }

  @Test
  void serverGone_isAConnectionFailure() throws IOException {
    int port;
    try (ServerSocket shortLived = new ServerSocket(0)) {
      port = shortLived.getLocalPort();
    }
    try (WireProxy proxy = WireProxy.start("127.0.0.1", port)) {
      assertThat(sqlState(() -> connect(proxy))).startsWith("08");
    }
  }

  @Test
  void close_endsConnectionsAndIsIdempotent() throws SQLException {
    WireProxy proxy = server.proxy(Duration.ofMillis(1));
    try (Connection connection = connect(proxy)) {
      proxy.close();
      proxy.close();

      assertThat(connection.isValid(1)).isFalse();
    }
  }

  private Connection connect(WireProxy proxy) throws SQLException {
    return server.superuser(database, proxy).getConnection();
  }

  private static Socket open(WireProxy proxy) throws IOException {
    return new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), proxy.port());
  }
}
