package dev.handofffence.testing;

import java.util.Map;
import org.postgresql.ds.common.BaseDataSource;

/** A server that somebody else runs: nothing of it is ours but the databases we create. */
record ExternalServer(String url) implements Server {

  static final String SETTING = "FENCE_TEST_JDBC_URL";

  @Override
  public void configure(BaseDataSource source) {
    try {
      source.setUrl(url);
    } catch (IllegalArgumentException e) {
      // Without the URL and without the cause, which names it: it may hold a password.
      throw new IllegalStateException(
          SETTING + " must look like jdbc:postgresql://host:5432/postgres?user=...&password=...");
    }
  }

  @Override
  public Map<String, String> facts() {
    return Map.of("kind", "external");
  }

  @Override
  public boolean isThrownAway() {
    return false;
  }

  @Override
  public void close() {
    // It goes on running.
  }

  /** Without the URL, which may hold a password. */
  @Override
  public String toString() {
    return "the server of " + SETTING;
  }
}
