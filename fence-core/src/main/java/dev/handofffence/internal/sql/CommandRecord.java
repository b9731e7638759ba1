package dev.handofffence.internal.sql;

import dev.handofffence.CommandId;
import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import dev.handofffence.internal.state.CommandKind;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A command as the store remembers it. */
public final class CommandRecord {

  private final CommandKind kind;
  private final ScopeId scope;
  private final @Nullable WorkId workId;
  private final CommandId id;
  private final OptionalLong expectedRevision;
  private final String actor;
  private final String reason;
  private final byte[] fingerprint;

  /**
   * Keeps the values.
   *
   * @param workId null for a command about a whole scope
   * @param fingerprint the array is kept: it was just written for this object
   */
  public CommandRecord(
      CommandKind kind,
      ScopeId scope,
      @Nullable WorkId workId,
      CommandId id,
      OptionalLong expectedRevision,
      String actor,
      String reason,
      byte[] fingerprint) {
    this.kind = kind;
    this.scope = scope;
    this.workId = workId;
    this.id = id;
    this.expectedRevision = expectedRevision;
    this.actor = actor;
    this.reason = reason;
    this.fingerprint = fingerprint;
  }

  public CommandKind kind() {
    return kind;
  }

  public ScopeId scope() {
    return scope;
  }

  /** Returns the Work; null for a command about a whole scope. */
  public @Nullable WorkId workId() {
    return workId;
  }

  public CommandId id() {
    return id;
  }

  public OptionalLong expectedRevision() {
    return expectedRevision;
  }

  String actor() {
    return actor;
  }

  String reason() {
    return reason;
  }

  /** Returns the bytes themselves. */
  public byte[] fingerprint() {
    return fingerprint;
  }
}
