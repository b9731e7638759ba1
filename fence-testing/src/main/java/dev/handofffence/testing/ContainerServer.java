package dev.handofffence.testing;

import com.github.dockerjava.api.exception.NotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.postgresql.ds.common.BaseDataSource;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/** A server in a container of its own, removed with the JVM. */
final class ContainerServer implements Server {

  /** postgres:16.5, named by digest so that it cannot change. */
  private static final DockerImageName IMAGE =
      DockerImageName.parse(
          "postgres@sha256:53f3e608f9475ce120ced2d0f430b89458d7faa28530e0b0977a6af64d294877");

  private final PostgreSQLContainer container;
  private final boolean wasCached;

  private ContainerServer(PostgreSQLContainer container, boolean wasCached) {
    this.container = container;
    this.wasCached = wasCached;
  }

  static ContainerServer start() {
    boolean wasCached = isCached();
    PostgreSQLContainer container = new PostgreSQLContainer(IMAGE);
    container.withDatabaseName("postgres").withUsername("postgres");
    container.withCommand(
        "postgres",
        "-cfsync=off",
        "-csynchronous_commit=off",
        "-cmax_connections=" + PostgresServer.MAX_CONNECTIONS,
        "-ctimezone=" + PostgresServer.TIME_ZONE);
    container.start();
    return new ContainerServer(container, wasCached);
  }

  /** Whether Docker has the image already, so that nothing will be downloaded. */
  private static boolean isCached() {
    try {
      DockerClientFactory.instance().client().inspectImageCmd(IMAGE.asCanonicalNameString()).exec();
      return true;
    } catch (NotFoundException e) {
      return false;
    }
  }

  /**
   * Whether Docker answers; where no trace of one is found it is not asked, which takes seconds.
   */
  static boolean isPossible() {
    Path home = Path.of(System.getProperty("user.home", ""));
    boolean trace =
        System.getenv("DOCKER_HOST") != null
            || Files.exists(Path.of("/var/run/docker.sock"))
            || Files.exists(home.resolve(".docker/run/docker.sock"))
            || Files.exists(home.resolve(".testcontainers.properties"));
    return trace && DockerClientFactory.instance().isDockerAvailable();
  }

  @Override
  public void configure(BaseDataSource source) {
    source.setUrl(container.getJdbcUrl());
    source.setUser(container.getUsername());
    source.setPassword(container.getPassword());
  }

  @Override
  public Map<String, String> facts() {
    return Map.of(
        "kind",
        "testcontainers",
        "image",
        IMAGE.asCanonicalNameString(),
        "image.source",
        wasCached ? "cached" : "pulled");
  }

  @Override
  public boolean isThrownAway() {
    return true;
  }

  @Override
  public void close() {
    container.stop();
  }

  @Override
  public String toString() {
    return "PostgreSQL in a container";
  }
}
