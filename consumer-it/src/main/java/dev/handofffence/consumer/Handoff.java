package dev.handofffence.consumer;

/** How the handoff of one attempt ended. Only one of these leads to the provider. */
enum Handoff {
  /** Prepared, and known to be committed. */
  COMMITTED("handoff_committed"),
  /** The application said no: the permission is gone, or the operation belongs to another Work. */
  DENIED("handoff_denied"),
  /** The fence said no: this attempt is not the one that may send any more. */
  REFUSED("handoff_refused"),
  /** The attempt was told to stop before it sent anything. */
  CANCELLED("handoff_cancelled"),
  /** A lock was not to be had in time. */
  BUSY("handoff_busy"),
  /** Anything else went wrong before the send: no connection, a failed statement, a lost commit. */
  FAILED("handoff_failed");

  private final String code;

  Handoff(String code) {
    this.code = code;
  }

  /** Returns the code of the exit, which the Work's history keeps. */
  String code() {
    return code;
  }
}
