package dev.handofffence.internal.sql;

import java.security.MessageDigest;

/** What the store remembers of a command that was carried out. */
public final class PerformedCommand {

  private final byte[] fingerprint;
  private final String outcome;
  private final long revision;
  private final long affected;

  PerformedCommand(byte[] fingerprint, String outcome, long revision, long affected) {
    this.fingerprint = fingerprint;
    this.outcome = outcome;
    this.revision = revision;
    this.affected = affected;
  }

  /** Returns whether it is the same command, and not another one under the same id. */
  public boolean is(CommandRecord command) {
    return MessageDigest.isEqual(fingerprint, command.fingerprint());
  }

  public String outcome() {
    return outcome;
  }

  /** Returns the Work's revision, or the scope's generation, after it. */
  public long revision() {
    return revision;
  }

  public long affected() {
    return affected;
  }
}
