package dev.handofffence.benchmarks.floor;

/**
 * How a plain JDBC worker proceeds.
 *
 * @param batch jobs per claim
 * @param permit whether a commit of its own stands between claim and run
 * @param completeTogether whether a claim's jobs end in one commit
 * @param wakes whether every accept wakes the workers
 */
public record JdbcSteps(int batch, boolean permit, boolean completeTogether, boolean wakes) {

  public static final JdbcSteps TWO_COMMITS = new JdbcSteps(1, false, false, false);
  public static final JdbcSteps THREE_COMMITS = new JdbcSteps(1, true, false, false);
  public static final JdbcSteps CLAIM_MANY = new JdbcSteps(50, false, false, false);
  public static final JdbcSteps CLAIM_AND_COMPLETE_MANY = new JdbcSteps(50, false, true, false);
  public static final JdbcSteps NOTIFIED = new JdbcSteps(50, false, true, true);
}
