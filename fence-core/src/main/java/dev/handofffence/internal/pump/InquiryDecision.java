package dev.handofffence.internal.pump;

import dev.handofffence.CancellationSource;
import dev.handofffence.CancellationToken;
import dev.handofffence.CommandId;
import dev.handofffence.OperationResult;
import dev.handofffence.internal.claim.Inquiry;
import dev.handofffence.internal.operator.WorkCommands;
import dev.handofffence.internal.state.CommandKind;
import dev.handofffence.work.CommandOutcome;
import dev.handofffence.work.Evidence;
import dev.handofffence.work.Reconciliation;
import dev.handofffence.work.WorkCommand;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkEnvelope;
import dev.handofffence.work.WorkReconciler;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a reconciler about one Work, without a transaction, and records what it says as a command
 * for the revision that was asked about.
 */
final class InquiryDecision {

  private static final Logger LOG = LoggerFactory.getLogger(InquiryDecision.class);

  private static final String ACTOR = "reconciler";

  private final Contracts contracts;
  private final WorkCommands commands;
  private final InquiryTally tally;

  InquiryDecision(RuntimeOptions options, InquiryTally tally) {
    this.contracts = options.contracts();
    this.commands = new WorkCommands(options.store(), options.runtimeDataSource());
    this.tally = tally;
  }

  /** Whatever goes wrong here changes nothing: it is asked again. */
  void about(Inquiry inquiry, CancellationToken cancellation) {
    try {
      Contract<?, ?> contract = contracts.find(inquiry.contractName(), inquiry.contractVersion());
      Optional<Evidence> evidence =
          contract == null ? Optional.empty() : ask(contract, inquiry, cancellation);
      if (evidence.isPresent()) {
        record(inquiry, evidence.get());
      } else {
        tally.undecided();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      undecided(inquiry, e.getClass().getName());
    } catch (Throwable e) { // the log names its kind only: its message may carry anything
      undecided(inquiry, e.getClass().getName());
    }
  }

  private <P, R> Optional<Evidence> ask(
      Contract<P, R> contract, Inquiry inquiry, CancellationToken cancellation) throws Exception {
    WorkReconciler<P, R> reconciler = contract.reconciler();
    WorkDefinition<P, R> definition = contract.definition();
    if (reconciler == null) {
      return Optional.empty();
    } else if (!inquiry.payload().isIntact()
        || !inquiry.payload().format().equals(definition.payloadCodec().format())) {
      throw new IllegalStateException("The payload is not what the contract accepts");
    }
    P payload = definition.payloadCodec().decode(inquiry.payload().bytes());
    try (CancellationSource patience = CancellationSource.linkedTo(cancellation)) {
      CancellationToken token = patience.cancelAfter(inquiry.patience()).token();
      return evidence(definition, reconciler.reconcile(envelope(inquiry, payload), token));
    }
  }

  private static <P> WorkEnvelope<P> envelope(Inquiry inquiry, P payload) {
    return new WorkEnvelope<>(
        inquiry.scope(), inquiry.workId(), inquiry.activityId(), inquiry.attempt(), payload);
  }

  private static <R> Optional<Evidence> evidence(
      WorkDefinition<?, R> definition, @Nullable Reconciliation<R> answer) {
    if (answer instanceof Reconciliation.Applied<R> applied) {
      return Optional.of(
          applied
              .result()
              .map(result -> Evidence.applied(definition, result))
              .orElseGet(Evidence::applied));
    } else if (answer instanceof Reconciliation.NotApplied<R>) {
      return Optional.of(Evidence.notApplied());
    }
    return Optional.empty();
  }

  private void record(Inquiry inquiry, Evidence evidence) {
    OperationResult<CommandOutcome> result =
        commands.prove(CommandKind.RECONCILE, command(inquiry, evidence), evidence);
    if (result instanceof OperationResult.Failure<CommandOutcome> refused) {
      undecided(inquiry, refused.problem().code());
    } else {
      tally.decided(result.orElseThrow().change());
    }
  }

  /** Two workers that ask at a time give one command: the second hears what the first achieved. */
  private static WorkCommand command(Inquiry inquiry, Evidence evidence) {
    CommandId id = CommandId.of(ACTOR + ":" + inquiry.workId().value() + ":" + inquiry.revision());
    String reason =
        "The registered reconciler says that the effect "
            + (evidence.isApplied() ? "happened" : "did not happen");
    return WorkCommand.of(inquiry.scope(), inquiry.workId(), id, ACTOR, reason)
        .expecting(inquiry.revision());
  }

  private void undecided(Inquiry inquiry, String why) {
    LOG.warn("Work {} stays suspended, reconciling it failed: {}", inquiry.workId(), why);
    tally.undecided();
  }
}
