package dev.handofffence.rails;

import org.testcontainers.DockerClientFactory;

/** Docker, as the tests look for it. */
final class Docker {

  private Docker() {}

  /** Fails where Docker does not answer. */
  static void need() {
    if (!DockerClientFactory.instance().isDockerAvailable()) {
      throw new RailException("needs Docker, and no Docker answers here");
    }
  }
}
