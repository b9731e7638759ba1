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
import dev.handofffence.work.WorkDefinition;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One bounded pass over suspended Work: finds what is due to be asked about, contract by contract
 * and scope by scope, puts it off for everybody else, and hands it to its reconciler.
 */
final class InquiryRun {

  private static final Logger LOG = LoggerFactory.getLogger(InquiryRun.class);

  private static final int BATCH = 50;

  private final PumpParts parts;
  private final CancellationToken cancellation;
  private final BooleanSupplier open;
  private final InFlight inFlight;
  private final InquiryDecision decision;
  private final OutageLog outage;
  private final InquiryTally tally = new InquiryTally();
  private final Set<InquirySql.Due> tried = new HashSet<>();
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
      boolean found = true;
      while (found && mayAsk()) {
        found = round(dispatcher, runtime);
      }
      outage.succeeded();
    } catch (UnusableStoreException e) {
      outage.failed(e.problem().code());
      tally.stopped(e.problem());
    } catch (SQLException e) {
      stop(e);
    }
    return tally.result();
  }

  /** Returns whether anything was found that this pass had not tried. */
  private boolean round(StoreConnection dispatcher, StoreConnection runtime) throws SQLException {
    boolean found = false;
    for (Contract<?, ?> contract : parts.options().contracts().reconciled()) {
      for (InquirySql.Due due : next(dispatcher, contract)) {
        if (mayAsk() && tried.add(due)) {
          found = true;
          takePlaceFor(due, runtime);
        }
      }
    }
    return found;
  }

  /** After the last scope the first one follows. */
  private List<InquirySql.Due> next(StoreConnection dispatcher, Contract<?, ?> contract)
      throws SQLException {
    Inquiries inquiries = parts.inquiries();
    String last = inquiries.lastScope(contract);
    List<InquirySql.Due> due = discover(dispatcher, contract, last);
    if (due.isEmpty() && !last.isEmpty()) {
      due = discover(dispatcher, contract, "");
    }
    inquiries.goneAsFarAs(contract, due.isEmpty() ? "" : due.get(due.size() - 1).scope().value());
    return due;
  }

  private static List<InquirySql.Due> discover(
      StoreConnection dispatcher, Contract<?, ?> contract, String afterScope) throws SQLException {
    WorkDefinition<?, ?> definition = contract.definition();
    return dispatcher.inOneTrip(
        c -> InquirySql.discover(c, definition.name(), definition.version(), afterScope, BATCH));
  }

  private void takePlaceFor(InquirySql.Due due, StoreConnection runtime) throws SQLException {
    if (parts.underway().has(due.workId())) {
      return;
    }
    try (Slots.Taken place = parts.inquiries().places().take(1, this::mayAsk)) {
      if (place.owned() == 1) {
        itemsLeft--;
        take(due, runtime, place);
      }
    }
  }

  private void take(InquirySql.Due due, StoreConnection runtime, Slots.Taken place)
      throws SQLException {
    InquirySql.Taken taken =
        runtime.inOneTrip(c -> InquirySql.take(c, parts.options().store(), due));
    StoreCheck.require(taken.store(), parts.options().store());
    Inquiry inquiry = taken.inquiry();
    if (inquiry != null) {
      place.leaveOne();
      inFlight.started();
      parts.underway().begin(inquiry.workId());
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
    } catch (Throwable e) { // no thread could be started, or a mistake of a custom executor
      if (decided.compareAndSet(false, true)) {
        leave(inquiry);
      }
      LOG.warn("Work {}: the executor threw {}", inquiry.workId(), e.getClass().getName());
    }
  }

  private void askAndLeave(Inquiry inquiry) {
    try {
      tally.asked();
      decision.about(inquiry, cancellation);
    } finally {
      leave(inquiry);
    }
  }

  private void leave(Inquiry inquiry) {
    parts.underway().end(inquiry.workId());
    parts.inquiries().places().giveBack(1);
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
