package dev.handofffence.internal.work;

/** What became of a Work, or of a report about it. */
public enum Ending {
  /** Nothing: somebody else got on with it, or it is not its time. */
  NONE,
  /** Nothing yet: somebody else has it locked. */
  BUSY,
  SUCCEEDED,
  RETRIED,
  SUSPENDED,
  FAILED,
  CANCELED,
  /** The report came too late and was kept beside the Work. */
  QUARANTINED
}
