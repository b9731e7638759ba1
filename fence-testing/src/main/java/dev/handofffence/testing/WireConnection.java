package dev.handofffence.testing;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;

/** One connection of a client, and the one to the server that belongs to it. */
final class WireConnection implements Closeable {

  private static final int CONNECT_MILLIS = 10_000;

  private static final int ENCRYPTION_DECLINED = 'N';

  @FunctionalInterface
  private interface Relay {
    void run() throws IOException;
  }

  private final Socket client;
  private final Socket server = new Socket();
  private final WireThreads threads;
  private final WireFaults faults;
  private final WireCounters counters;
  private final WireTrips trips = new WireTrips();
  private volatile int backendPid;

  WireConnection(Socket client, WireThreads threads, WireFaults faults, WireCounters counters) {
    this.client = client;
    this.threads = threads;
    this.faults = faults;
    this.counters = counters;
  }

  WireCount counts() {
    return counters.get();
  }

  boolean isBackend(int pid) {
    return backendPid == pid;
  }

  void startedBackend(int pid) {
    backendPid = pid;
  }

  /** Relays until one side ends or the connection is cut. */
  void relay(InetSocketAddress address, Duration delay) throws ProtocolException {
    untilClosed(() -> serve(address, delay));
  }

  private void serve(InetSocketAddress address, Duration delay) throws IOException {
    client.setTcpNoDelay(true);
    WireReader requests = new WireReader(client.getInputStream());
    WireStartup startup = plainStartup(requests);
    server.setTcpNoDelay(true);
    server.connect(address, CONNECT_MILLIS);
    try (OutputStream toServer = line(server, delay)) {
      startup.writeTo(toServer);
      toServer.flush();
      if (startup.asksForCancellation()) {
        server.getInputStream().transferTo(client.getOutputStream()); // nothing, then its end
        return;
      }
      threads.start("wire-backend", () -> untilClosed(() -> relayAnswers(delay)));
      new WireFrontend(this, faults, counters, trips).relay(requests, toServer);
    }
  }

  /** Declines encryption, which would hide the messages, as a server without it does. */
  private WireStartup plainStartup(WireReader requests) throws IOException {
    WireStartup startup = requests.nextStartup();
    while (startup.asksForEncryption()) {
      client.getOutputStream().write(ENCRYPTION_DECLINED);
      startup = requests.nextStartup();
    }
    if (!startup.asksForSession() && !startup.asksForCancellation()) {
      throw new ProtocolException("Expected a start of the PostgreSQL protocol 3, not " + startup);
    }
    return startup;
  }

  private void relayAnswers(Duration delay) throws IOException {
    try (OutputStream toClient = line(client, delay)) {
      new WireBackend(this, trips).relay(new WireReader(server.getInputStream()), toClient);
    }
  }

  private OutputStream line(Socket socket, Duration delay) throws IOException {
    OutputStream out = socket.getOutputStream();
    return new BufferedOutputStream(delay.isZero() ? out : new DelayedOutput(out, delay, threads));
  }

  /** Stops at the point of the fault; throws if the connection was cut there. */
  void meet(WireFault fault) throws SocketException {
    if (!fault.decide()) {
      reset();
      throw new SocketException("Cut " + fault.point());
    }
  }

  private void untilClosed(Relay relay) throws ProtocolException {
    try {
      relay.run();
    } catch (ProtocolException e) {
      throw e;
    } catch (IOException e) {
      // One side is gone, which is what the other learns by the close.
    } finally {
      close();
    }
  }

  /** Closes both sides so that they get a reset, not an orderly end. */
  private void reset() {
    for (Socket socket : List.of(client, server)) {
      try {
        socket.setSoLinger(true, 0);
      } catch (SocketException e) {
        // Closed already.
      }
    }
    close();
  }

  @Override
  public void close() {
    for (Socket socket : List.of(client, server)) {
      try {
        socket.close();
      } catch (IOException e) {
        // It cannot be used any more either way.
      }
    }
  }
}
