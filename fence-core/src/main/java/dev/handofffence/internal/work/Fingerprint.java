package dev.handofffence.internal.work;

import dev.handofffence.work.AttemptPlan;
import dev.handofffence.work.LeasePolicy;
import dev.handofffence.work.RetryPolicy;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkRequest;
import java.time.Duration;
import java.time.Instant;

/**
 * Tells a repeated command from a conflicting one: SHA-256 over everything that was asked for.
 *
 * <p>What is optional is named and appended only when present: Work without it fingerprints as if
 * it did not exist, and a later version can add more. Stored for good, so the encoding never
 * changes; times count in microseconds, as the store keeps them.
 */
final class Fingerprint {

  private final CanonicalDigest digest = new CanonicalDigest("handoff-fence-request-1");

  private Fingerprint() {}

  static byte[] of(WorkRequest<?, ?> request, byte[] payload) {
    Fingerprint fingerprint = new Fingerprint();
    fingerprint.definition(request.definition());
    fingerprint.digest.bytes(payload);
    fingerprint.digest.text(request.idempotencyKey().value());
    fingerprint.digest.number(request.priority());
    fingerprint.digest.micros(request.delay());
    request.deadline().ifPresent(fingerprint::deadline);
    request.attemptPlan().ifPresent(fingerprint::plan);
    return fingerprint.digest.sum();
  }

  /** Returns the hash that is kept beside a payload. */
  static byte[] ofPayload(byte[] payload) {
    return CanonicalDigest.sha256().digest(payload);
  }

  private void definition(WorkDefinition<?, ?> definition) {
    digest.text(definition.name());
    digest.text(definition.version());
    digest.text(definition.payloadCodec().format());
    digest.text(definition.providerSafety().name());
    retry(definition.retry());
    lease(definition.lease());
  }

  private void retry(RetryPolicy retry) {
    digest.text("exponential-v1");
    digest.number(retry.maxAttempts());
    digest.micros(retry.initialDelay());
    digest.micros(retry.maximumDelay());
    retry.elapsedHorizon().ifPresent(this::horizon);
  }

  private void lease(LeasePolicy lease) {
    digest.text("lease");
    digest.micros(lease.duration());
    digest.micros(lease.maximumLifetime());
  }

  private void horizon(Duration horizon) {
    digest.text("horizon");
    digest.micros(horizon);
  }

  private void deadline(Instant deadline) {
    digest.text("deadline");
    // Not ChronoUnit.MICROS.between, which counts nanoseconds inside and overflows after 292 years.
    digest.number(deadline.getEpochSecond() * 1_000_000 + deadline.getNano() / 1_000);
  }

  private void plan(AttemptPlan plan) {
    digest.text("plan");
    digest.number(plan.offsets().size());
    plan.offsets().forEach(digest::micros);
    digest.micros(plan.circuitDuration());
  }
}
