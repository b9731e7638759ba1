package dev.handofffence.internal.pump;

import dev.handofffence.CancellationToken;
import dev.handofffence.internal.claim.Inquiry;
import dev.handofffence.internal.log.OutageLog;
import dev.handofffence.internal.sql.InquirySql;
import dev.handofffence.internal.sql.SqlFailure;
import dev.handofffence.internal.store.StoreCheck;
import dev.handofffence.internal.store.UnusableStoreException;
import dev.handofffence.internal.transaction.FailureKind;
import dev.handofffence.internal.transaction.StoreConnection;
import dev.handofffence.runtime.PumpPass;
import dev.handofffence.runtime.ReconciliationResult;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One bounded pass over suspended Work: finds what is due to be asked about, puts it off for
 * everybody else, and hands it to its reconciler, on the places and threads of the executors.
 */
final class InquiryRun {

  private static final Logger LOG = LoggerFactory.getLogger(InquiryRun.class);

  private static final int BATCH = 100;

  private final PumpParts parts;
  private final CancellationToken cancellation;
  private final BooleanSupplier open;
  private final InFlight inFlight;
  private final InquiryDecision decision;
  private final OutageLog outage;
  private final InquiryTally tally = new InquiryTally();
  private final long endsAt;
  private int itemsLeft;

  /** As a pass of the pump; begins nothing yet. */
  InquiryRun(
      PumpParts parts,
      PumpPass pass,
      CancellationToken cancellation,
      BooleanSupplier open,
      InFlight inFlight) {
    this(parts, pass, cancellation, open, inFlight, outageLog());
  }

  /**
   * Begins nothing yet.
   *
   * @param outage tells of passes that stop early
   */
  InquiryRun(
      PumpParts parts,
      PumpPass pass,
      CancellationToken cancellation,
      BooleanSupplier open,
      InFlight inFlight,
      OutageLog outage) {
    this.parts = parts;
    this.cancellation = cancellation;
    this.open = open;
    this.inFlight = inFlight;
    this.outage = outage;
    this.decision = new InquiryDecision(parts.options(), tally);
    this.endsAt = System.nanoTime() + pass.timeBudget().toNanos();
    this.itemsLeft = pass.maxItems();
  }

  static OutageLog outageLog() {
    return new OutageLog(LOG, "Looking for Work to reconcile");
  }

  /** Asks, and returns when all have answered. */
  ReconciliationResult run() {
    try {
      start();
    } finally {
      inFlight.awaitNone();
    }
    return tally.result();
  }

  /** Starts to ask; returns what is known by then. */
  ReconciliationResult start() {
    RuntimeOptions options = parts.options();
    try (StoreConnection dispatcher = new StoreConnection(options.dispatcherDataSource());
        StoreConnection runtime = new StoreConnection(options.runtimeDataSource())) {
      boolean found = options.contracts().hasReconcilers();
      while (found && mayAsk()) {
        found = round(dispatcher, runtime);
      }
      outage.succeeded();
    } catch (UnusableStoreException e) {
      outage.failed(e.describe());
      tally.stopped(e.problem());
    } catch (SQLException e) {
      stop(e);
    }
    return tally.result();
  }

  /** Returns whether there may be more. */
  private boolean round(StoreConnection dispatcher, StoreConnection runtime) throws SQLException {
    try (Slots.Taken places = parts.slots().take(Math.min(itemsLeft, BATCH), this::mayAsk)) {
      List<InquirySql.Due> due =
          places.owned() == 0 ? List.of() : discover(dispatcher, places.owned());
      for (InquirySql.Due one : due) {
        take(runtime, one, places);
      }
      itemsLeft -= due.size();
      return !due.isEmpty();
    }
  }

  private List<InquirySql.Due> discover(StoreConnection dispatcher, int places)
      throws SQLException {
    Contracts contracts = parts.options().contracts();
    return dispatcher.inOneTrip(
        c ->
            InquirySql.discover(
                c, contracts.reconciledNames(), contracts.reconciledVersions(), places));
  }

  private void take(StoreConnection runtime, InquirySql.Due due, Slots.Taken places)
      throws SQLException {
    InquirySql.Taken taken = runtime.inOneTrip(c -> InquirySql.take(c, due));
    StoreCheck.require(taken.store(), parts.options().store());
    Inquiry inquiry = taken.inquiry();
    if (inquiry != null) {
      places.leaveOne();
      inFlight.started();
      ask(inquiry);
    }
  }

  /** An executor may throw also after it has begun: the first of the two decides. */
  private void ask(Inquiry inquiry) {
    AtomicBoolean decided = new AtomicBoolean();
    try {
      parts
          .executor()
          .execute(
              () -> {
                if (decided.compareAndSet(false, true)) {
                  askAndLeave(inquiry);
                }
              });
    } catch (RuntimeException | Error e) {
      LOG.warn("Work {}: the executor threw {}", inquiry.workId(), e.getClass().getName());
      if (decided.compareAndSet(false, true)) {
        leave();
      }
    }
  }

  private void askAndLeave(Inquiry inquiry) {
    try {
      tally.asked();
      decision.about(inquiry, cancellation);
    } finally {
      leave();
    }
  }

  private void leave() {
    parts.slots().giveBack(1);
    inFlight.ended();
  }

  private boolean mayAsk() {
    return itemsLeft > 0
        && endsAt - System.nanoTime() > 0
        && open.getAsBoolean()
        && !cancellation.isCancelled();
  }

  private void stop(SQLException failure) {
    FailureKind kind = FailureKind.of(failure);
    if (kind == FailureKind.OTHER) {
      throw SqlFailure.ofStatement("A pass over suspended Work", failure);
    }
    outage.failed(Failures.describe(failure));
    kind.problem().ifPresent(tally::stopped);
  }
}
