package dev.handofffence.benchmarks.contender;

import java.util.List;

/** Accepts jobs. Thread-safe. */
public interface Producer extends AutoCloseable {

  /** Accepts one job, durably on return. */
  void accept(String payload) throws Exception;

  /** Accepts many jobs in as few commits as the library's public API allows. */
  void acceptAll(List<String> payloads) throws Exception;

  /** Leaves no connection open. */
  @Override
  void close();
}
