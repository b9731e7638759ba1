package dev.handofffence.internal.pump;

import dev.handofffence.WorkId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Works of which application code of this runtime runs, an executor or a reconciler: a provider
 * that is asked meanwhile could be overtaken by it. Thread-safe.
 */
final class Underway {

  private final Map<WorkId, Integer> running = new ConcurrentHashMap<>();

  void begin(WorkId work) {
    running.merge(work, 1, Integer::sum);
  }

  void end(WorkId work) {
    running.computeIfPresent(work, (id, count) -> count == 1 ? null : count - 1);
  }

  boolean has(WorkId work) {
    return running.containsKey(work);
  }
}
