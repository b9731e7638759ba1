package dev.handofffence.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.postgresql.ds.common.BaseDataSource;

/** A server of our own on this machine, from the binaries on the class path. */
final class EmbeddedServer implements Server {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final EmbeddedPostgres process;
  private final Path data;

  private EmbeddedServer(EmbeddedPostgres process, Path data) {
    this.process = process;
    this.data = data;
  }

  /**
   * Starts a server.
   *
   * @param durability "on" if a commit must survive a crash, "off" if it may be fast
   */
  static EmbeddedServer start(String durability) {
    try {
      EmbeddedPostgres process =
          EmbeddedPostgres.builder()
              .setLocaleConfig("locale", "C")
              .setServerConfig("fsync", durability)
              .setServerConfig("synchronous_commit", durability)
              .setServerConfig("max_connections", Integer.toString(PostgresServer.MAX_CONNECTIONS))
              .setServerConfig("timezone", PostgresServer.TIME_ZONE)
              .setRegisterShutdownHook(false) // PostgresServer stops it, after its databases
              .setPGStartupWait(PATIENCE)
              .start();
      return new EmbeddedServer(process, dataDirectory(process));
    } catch (IOException | SQLException | RuntimeException e) {
      throw new IllegalStateException(
          "Cannot start an embedded PostgreSQL (as root it runs under 'unshare -U', which needs"
              + " user namespaces). Set "
              + ExternalServer.SETTING
              + " to the URL of a PostgreSQL 16 or newer with the user and password of a superuser"
              + " to use that one instead.",
          e);
    }
  }

  private static Path dataDirectory(EmbeddedPostgres process) throws SQLException {
    try (var connection = process.getPostgresDatabase().getConnection();
        var statement = connection.createStatement();
        var row = statement.executeQuery("SHOW data_directory")) {
      row.next();
      return Path.of(row.getString(1));
    }
  }

  long postmasterPid() {
    try (var lines = Files.lines(data.resolve("postmaster.pid"))) {
      return lines.findFirst().map(Long::parseLong).orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException("No postmaster.pid: the server is not running", e);
    }
  }

  /**
   * Stops and starts again on the same port, with the same settings.
   *
   * @param mode of pg_ctl: "immediate" stops without a checkpoint, "fast" with one
   */
  void restart(String mode) {
    // The binaries lie where the running server came from; pg_ctl repeats the options of the last
    // start.
    String postgres =
        ProcessHandle.of(postmasterPid()).orElseThrow().info().command().orElseThrow();
    List<String> command = new ArrayList<>();
    if ("root".equals(System.getProperty("user.name"))) {
      command.addAll(List.of("unshare", "-U"));
    }
    command.add(Path.of(postgres).resolveSibling("pg_ctl").toString());
    command.addAll(List.of("restart", "-D", data.toString(), "-m", mode, "-w"));
    command.addAll(List.of("-l", data.resolve("restart.log").toString()));
    run(new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(Redirect.DISCARD));
  }

  private void run(ProcessBuilder command) {
    try {
      Process running = command.start();
      if (!running.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || running.exitValue() != 0) {
        running.destroy();
        throw new IllegalStateException(
            "Failed: " + command.command() + "; see " + data.resolve("restart.log"));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot run " + command.command(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted during " + command.command(), e);
    }
  }

  @Override
  public void configure(BaseDataSource source) {
    source.setServerNames(new String[] {"localhost"});
    source.setPortNumbers(new int[] {process.getPort()});
    source.setUser("postgres");
  }

  @Override
  public Map<String, String> facts() {
    return Map.of("kind", "embedded");
  }

  @Override
  public boolean isThrownAway() {
    return true;
  }

  @Override
  public void close() {
    try {
      process.close();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot stop " + this, e);
    }
  }

  @Override
  public String toString() {
    return "embedded PostgreSQL on port " + process.getPort();
  }
}
