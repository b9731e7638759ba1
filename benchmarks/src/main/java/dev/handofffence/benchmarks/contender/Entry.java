package dev.handofffence.benchmarks.contender;

import static dev.handofffence.benchmarks.contender.Phase.ACCEPT_BATCH;
import static dev.handofffence.benchmarks.contender.Phase.ACCEPT_ONE;
import static dev.handofffence.benchmarks.contender.Phase.DRAIN;
import static dev.handofffence.benchmarks.contender.Phase.PICK_UP;

import dev.handofffence.benchmarks.fence.Execution;
import dev.handofffence.benchmarks.fence.FenceContender;
import dev.handofffence.benchmarks.floor.JdbcQueue;
import dev.handofffence.benchmarks.floor.JdbcSteps;
import dev.handofffence.benchmarks.peer.DbSchedulerContender;
import dev.handofffence.benchmarks.peer.DbosContender;
import dev.handofffence.benchmarks.peer.JobRunrContender;
import dev.handofffence.benchmarks.peer.QuartzContender;
import dev.handofffence.benchmarks.peer.TransactionOutboxContender;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/** The contenders, in the order of the tables. */
public enum Entry {
  /** Lease and complete, one row each. */
  JDBC_TWO_COMMITS(
      "plain JDBC: two commits per job",
      Role.FLOOR,
      EnumSet.of(ACCEPT_ONE, ACCEPT_BATCH, DRAIN),
      () -> new JdbcQueue(JdbcSteps.TWO_COMMITS)),
  /** Claim, permit and complete, one row each. */
  JDBC_THREE_COMMITS(
      "plain JDBC: three commits per job",
      Role.FLOOR,
      EnumSet.of(ACCEPT_ONE, ACCEPT_BATCH, DRAIN),
      () -> new JdbcQueue(JdbcSteps.THREE_COMMITS)),
  /** Claim 50 in one commit, complete each in its own. */
  JDBC_CLAIM_50(
      "plain JDBC: claim 50, complete one by one",
      Role.FLOOR,
      EnumSet.of(ACCEPT_ONE, ACCEPT_BATCH, DRAIN),
      () -> new JdbcQueue(JdbcSteps.CLAIM_MANY)),
  /** Claim 50 in one commit, complete 50 in another: as cheap as it gets. */
  JDBC_CLAIM_50_COMPLETE_50(
      "plain JDBC: claim 50, complete 50",
      Role.FLOOR,
      EnumSet.of(ACCEPT_ONE, ACCEPT_BATCH, DRAIN),
      () -> new JdbcQueue(JdbcSteps.CLAIM_AND_COMPLETE_MANY)),
  /** The floor of idle pick-up: a NOTIFY in every accept. */
  JDBC_NOTIFY(
      "plain JDBC with NOTIFY",
      Role.FLOOR,
      EnumSet.of(ACCEPT_ONE, PICK_UP),
      () -> new JdbcQueue(JdbcSteps.NOTIFIED)),
  /** Lock-and-fetch with the limits that its documentation names for high throughput. */
  DB_SCHEDULER(
      "db-scheduler lock-and-fetch, as documented",
      Role.PEER,
      EnumSet.allOf(Phase.class),
      () -> new DbSchedulerContender(1.0, 4.0)),
  /** Lock-and-fetch with larger batches than its documentation names. */
  DB_SCHEDULER_BEYOND(
      "db-scheduler lock-and-fetch, beyond its docs",
      Role.PEER,
      EnumSet.of(ACCEPT_ONE, ACCEPT_BATCH, DRAIN),
      () -> new DbSchedulerContender(4.0, 20.0)),
  /** Flushed in a loop by a background thread; no pick-up, since that is the host's interval. */
  TRANSACTION_OUTBOX(
      "transaction-outbox",
      Role.PEER,
      EnumSet.of(ACCEPT_ONE, ACCEPT_BATCH, DRAIN),
      TransactionOutboxContender::new),
  /** Polls every five seconds, the least it allows. */
  JOBRUNR("JobRunr", Role.PEER, EnumSet.allOf(Phase.class), JobRunrContender::new),
  /** One workflow without steps per job, on a queue; it has no batches. */
  DBOS("DBOS Transact", Role.PEER, EnumSet.of(ACCEPT_ONE, DRAIN, PICK_UP), DbosContender::new),
  /** Clustered JDBC job store. */
  QUARTZ("Quartz, clustered JDBC", Role.PEER, EnumSet.allOf(Phase.class), QuartzContender::new),
  /** The library, when the effect needs no decision of the application. */
  FENCE(
      "Handoff Fence, no handoff",
      Role.OURS,
      EnumSet.allOf(Phase.class),
      () -> new FenceContender(Execution.PLAIN)),
  /** The library around an application transaction that does not use the fence. */
  FENCE_TRANSACTION(
      "Handoff Fence, application transaction without it",
      Role.OURS,
      EnumSet.of(DRAIN),
      () -> new FenceContender(Execution.TRANSACTION)),
  /** The library with a handoff in every job. */
  FENCE_HANDOFF(
      "Handoff Fence, handoff in every job",
      Role.OURS,
      EnumSet.of(DRAIN),
      () -> new FenceContender(Execution.HANDOFF));

  /** The floor that ratios are computed to. */
  public static final Entry FLOOR = JDBC_CLAIM_50_COMPLETE_50;

  /** The peer that targets are computed to. */
  public static final Entry BEST_PEER = DB_SCHEDULER;

  private final String title;
  private final Role role;

  @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable set
  private final Set<Phase> phases;

  @SuppressWarnings("ImmutableEnumChecker") // a constructor
  private final Supplier<Contender> contender;

  Entry(String title, Role role, Set<Phase> phases, Supplier<Contender> contender) {
    this.title = title;
    this.role = role;
    this.phases = Set.copyOf(phases);
    this.contender = contender;
  }

  public String title() {
    return title;
  }

  public Role role() {
    return role;
  }

  public boolean takesPartIn(Phase phase) {
    return phases.contains(phase);
  }

  /** Whether its API can accept many jobs at once. */
  public boolean hasBatches() {
    return this != DBOS;
  }

  public Contender contender() {
    return contender.get();
  }

  /** Returns the name used on the command line and in files. */
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the entry of a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Entry of(String key) {
    return Arrays.stream(values())
        .filter(entry -> entry.key().equals(key))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("No contender '" + key + "'; there are " + keys()));
  }

  private static List<String> keys() {
    return Arrays.stream(values()).map(Entry::key).toList();
  }
}
