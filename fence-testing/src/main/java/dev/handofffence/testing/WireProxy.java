package dev.handofffence.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.postgresql.PGConnection;

/**
 * Stands between clients and a PostgreSQL, counts what they send, and stops or cuts them at chosen
 * statements.
 *
 * <pre>{@code
 * try (WireProxy proxy = server.proxy()) {
 *   DataSource source = server.dataSource(database, role, password, proxy);
 *   assertThat(proxy.count(() -> handoff(source)).roundTrips()).isEqualTo(3);
 *
 *   proxy.cut(WirePoint.after("COMMIT"));
 *   assertThatThrownBy(() -> handoff(source)); // committed, and the client does not know
 * }
 * }</pre>
 *
 * <p>It understands the messages of protocol 3 in clear; requests for encryption are declined.
 * CancelRequests pass and are not counted. Thread-safe.
 */
public final class WireProxy implements AutoCloseable {

  /**
   * Something to count.
   *
   * @param <X> what it may throw
   */
  @FunctionalInterface
  public interface Exchange<X extends Exception> {

    /**
     * Talks to the server.
     *
     * @throws X if it fails
     */
    void run() throws X;
  }

  private static final byte[] LOCALHOST = {127, 0, 0, 1};

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final ServerSocket listener;
  private final String host;
  private final int serverPort;
  private final Duration delay;
  private final WireThreads threads = new WireThreads();
  private final WireFaults faults = new WireFaults();
  private final WireCounters counters = new WireCounters(null);
  private final Set<WireConnection> connections = ConcurrentHashMap.newKeySet();

  private WireProxy(ServerSocket listener, String host, int serverPort, Duration delay) {
    this.listener = listener;
    this.host = host;
    this.serverPort = serverPort;
    this.delay = delay;
  }

  /**
   * Starts a proxy on a free port of 127.0.0.1.
   *
   * @param host the host of the server, which need not run yet
   * @param port the port of the server
   * @return the proxy; the caller closes it
   */
  public static WireProxy start(String host, int port) {
    return start(host, port, Duration.ZERO);
  }

  /**
   * Starts a proxy that imitates a distant server. A request of many messages is delayed once.
   *
   * @param host the host of the server, which need not run yet
   * @param port the port of the server
   * @param delay how long data is under way in each direction, so half of a round trip
   * @return the proxy; the caller closes it
   */
  public static WireProxy start(String host, int port, Duration delay) {
    try {
      ServerSocket listener = new ServerSocket(0, 0, InetAddress.getByAddress(LOCALHOST));
      WireProxy proxy = new WireProxy(listener, host, port, delay);
      proxy.threads.start("wire-accept", proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot listen on 127.0.0.1", e);
    }
  }

  private void accept() throws IOException {
    try {
      while (true) {
        serve(listener.accept());
      }
    } catch (SocketException e) {
      if (!listener.isClosed()) {
        throw e;
      }
    }
  }

  private void serve(Socket client) {
    WireConnection connection =
        new WireConnection(client, threads, faults, new WireCounters(counters));
    connections.add(connection);
    threads.start("wire-frontend", () -> relay(connection));
    if (listener.isClosed()) {
      connection.close(); // close() may have looked before this one was there
    }
  }

  private void relay(WireConnection connection) throws IOException {
    try {
      connection.relay(new InetSocketAddress(host, serverPort), delay);
    } finally {
      connections.remove(connection);
    }
  }

  /**
   * Returns the port that clients connect to.
   *
   * @return the port on 127.0.0.1
   */
  public int port() {
    return listener.getLocalPort();
  }

  /**
   * Counts what all clients send meanwhile.
   *
   * @param <X> what the exchange may throw
   * @param exchange talks to the server
   * @return the count
   * @throws X if the exchange does
   */
  public <X extends Exception> WireCount count(Exchange<X> exchange) throws X {
    WireCount before = counts();
    exchange.run();
    return counts().minus(before);
  }

  /**
   * Returns what all clients have sent until now.
   *
   * @return the count, to be compared with a later one
   */
  public WireCount counts() {
    return counters.get();
  }

  /**
   * Returns what one client has sent until now.
   *
   * @param connection an open connection through this proxy, or the handle of a pool for one
   * @return the count, to be compared with a later one
   * @throws SQLException if it is not a connection of pgjdbc
   * @throws IllegalArgumentException if it is not an open connection through this proxy
   */
  public WireCount counts(Connection connection) throws SQLException {
    int pid = connection.unwrap(PGConnection.class).getBackendPID();
    return connections.stream()
        .filter(relayed -> relayed.isBackend(pid))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("No open connection of this proxy: " + connection))
        .counts();
  }

  /**
   * Resets the first connection that comes to the point, on both sides. Faults for the same point
   * are used up in the order in which they were requested.
   *
   * @param point where to cut
   * @return tells when it has happened
   */
  public WireFault cut(WirePoint point) {
    WireFault fault = hold(point);
    fault.cut();
    return fault;
  }

  /**
   * Stops the first connection that comes to the point, until it is released or cut. Faults for the
   * same point are used up in the order in which they were requested.
   *
   * @param point where to stop
   * @return to wait for the connection and to release it
   */
  public WireFault hold(WirePoint point) {
    return faults.arm(point);
  }

  /**
   * Cuts all connections and returns when nothing runs any more. Idempotent.
   *
   * @throws IllegalStateException if something came along that is not PostgreSQL's protocol 3, or
   *     threads did not end within five seconds
   */
  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot stop listening on port " + port(), e);
    }
    faults.close();
    connections.forEach(WireConnection::close);
    threads.awaitEnd(PATIENCE);
    Exception failure = threads.takeFailure();
    if (failure != null) {
      throw new IllegalStateException("The proxy failed, so the test proves nothing", failure);
    }
  }
}
