package dev.handofffence.work;

import dev.handofffence.ScopeId;
import java.time.Instant;
import java.util.Objects;

/**
 * One scope, with its last change: its first use, or that it was disabled.
 *
 * @param scope the tenant
 * @param generation grows with every change
 * @param state whether it may be used
 * @param changedAt when it last changed
 * @param changedBy who changed it
 * @param changeReason why
 */
public record ScopeView(
    ScopeId scope,
    long generation,
    ScopeState state,
    Instant changedAt,
    String changedBy,
    String changeReason) {

  /**
   * Checks the values.
   *
   * @param scope the tenant
   * @param generation grows with every change
   * @param state whether it may be used
   * @param changedAt when it last changed
   * @param changedBy who changed it
   * @param changeReason why
   */
  public ScopeView {
    Objects.requireNonNull(scope, "scope");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(changedAt, "changedAt");
    Objects.requireNonNull(changedBy, "changedBy");
    Objects.requireNonNull(changeReason, "changeReason");
  }

  /** Returns a text without scope, actor and reason, which may name people. */
  @Override
  public String toString() {
    return "ScopeView[generation=" + generation + ", state=" + state + "]";
  }
}
