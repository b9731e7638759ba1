package dev.handofffence.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.ds.common.BaseDataSource;

/**
 * PgBouncer in transaction mode between the restricted roles and the server: {@code
 * fence.test.pooler=pgbouncer}. The server must let local users in without a password, as an
 * embedded one does.
 */
final class Pooler implements AutoCloseable {

  static final String SETTING = "fence.test.pooler";

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Process process;
  private final int port;

  private Pooler(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  static boolean isWanted() {
    String wanted = System.getProperty(SETTING, "");
    if (wanted.isEmpty() || wanted.equals("pgbouncer")) {
      return !wanted.isEmpty();
    }
    throw new IllegalArgumentException(
        SETTING + " is '" + wanted + "'; expected pgbouncer or nothing");
  }

  /**
   * Starts the program from the path.
   *
   * @param server where it connects to; its user asks the catalog which users there are
   */
  static Pooler start(BaseDataSource server) {
    try {
      int port = freePort();
      Path folder = Files.createTempDirectory("fence-pgbouncer");
      Path configuration = folder.resolve("pgbouncer.ini");
      Files.writeString(configuration, configuration(server, port));
      Process process =
          new ProcessBuilder(command(folder, configuration))
              .redirectErrorStream(true)
              .redirectOutput(Redirect.to(folder.resolve("pgbouncer.log").toFile()))
              .start();
      Pooler pooler = new Pooler(process, port);
      pooler.awaitListening(folder);
      return pooler;
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot start pgbouncer; is it on the PATH?", e);
    }
  }

  /** It refuses to run as root, and changes to another user by itself. */
  private static List<String> command(Path folder, Path configuration) {
    List<String> command = new ArrayList<>(List.of("pgbouncer"));
    if ("root".equals(System.getProperty("user.name"))) {
      command.addAll(List.of("-u", "nobody"));
      configuration.toFile().setReadable(true, false);
      folder.toFile().setExecutable(true, false);
    }
    command.add(configuration.toString());
    return command;
  }

  private static String configuration(BaseDataSource server, int port) {
    return """
        [databases]
        * = host=%s port=%d
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = %d
        unix_socket_dir =
        pool_mode = transaction
        auth_type = trust
        auth_user = %s
        auth_query = SELECT usename, passwd FROM pg_catalog.pg_shadow WHERE usename = $1
        max_client_conn = 1000
        default_pool_size = 40
        ignore_startup_parameters = extra_float_digits
        """
        .formatted(server.getServerNames()[0], server.getPortNumbers()[0], port, server.getUser());
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void awaitListening(Path folder) throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!isListening()) {
      if (!process.isAlive() || System.nanoTime() > end) {
        process.destroy();
        throw new IOException(
            "pgbouncer does not listen: " + Files.readString(folder.resolve("pgbouncer.log")));
      }
      Thread.onSpinWait();
    }
  }

  private boolean isListening() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Leads the source through the pooler. Named statements stay with one server session and the next
   * transaction may have another, which only PgBouncer 1.21 and newer can follow.
   */
  void configure(BaseDataSource source) {
    source.setServerNames(new String[] {"127.0.0.1"});
    source.setPortNumbers(new int[] {port});
    source.setPrepareThreshold(0);
  }

  /** Returns its name and version. */
  String version() {
    try {
      Process asked = new ProcessBuilder("pgbouncer", "--version").start();
      String text = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return text.lines().findFirst().orElse("pgbouncer");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
  }
}
