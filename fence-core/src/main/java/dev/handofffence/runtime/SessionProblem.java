package dev.handofffence.runtime;

/** What is unsound about the settings of a session. */
public enum SessionProblem {
  /** {@code lock_timeout} is zero: a wait for a lock never ends by itself. */
  NO_LOCK_TIMEOUT("Set lock_timeout to some seconds, below statement_timeout."),
  /** {@code statement_timeout} is zero: a statement may run for ever and hold its locks. */
  NO_STATEMENT_TIMEOUT("Set statement_timeout to more than lock_timeout."),
  /**
   * {@code idle_in_transaction_session_timeout} is zero: a client that stalls in its transaction
   * holds scope and epoch for ever.
   */
  NO_IDLE_IN_TRANSACTION_TIMEOUT(
      "Set idle_in_transaction_session_timeout to the longest pause that a transaction may make."),
  /**
   * {@code lock_timeout} is not below {@code statement_timeout}: lock waits end as cancelled
   * statements, which cannot be told from slow ones.
   */
  LOCK_TIMEOUT_NOT_BELOW_STATEMENT_TIMEOUT("Set lock_timeout below statement_timeout."),
  /**
   * {@code synchronous_commit} is off: a crash of the server can forget a handoff after the
   * provider was called.
   */
  COMMITS_ARE_NOT_DURABLE("Set synchronous_commit to on for the application's role.");

  private final String fix;

  SessionProblem(String fix) {
    this.fix = fix;
  }

  /** {@return what to do about it} */
  public String fix() {
    return fix;
  }
}
