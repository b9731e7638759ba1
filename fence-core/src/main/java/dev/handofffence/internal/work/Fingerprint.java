package dev.handofffence.internal.work;

import dev.handofffence.work.AttemptPlan;
import dev.handofffence.work.LeasePolicy;
import dev.handofffence.work.RetryPolicy;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * Tells a repeated command from a conflicting one: SHA-256 over everything that was asked for.
 *
 * <p>Every value is preceded by its length, so that no two requests give the same bytes. What is
 * optional is named and appended only when present: Work without it fingerprints as if it did not
 * exist, and a later version can add more. Stored for good, so the encoding never changes; times
 * count in microseconds, as the store keeps them.
 */
final class Fingerprint {

  private final MessageDigest digest = sha256();

  private Fingerprint() {}

  static byte[] of(WorkRequest<?, ?> request, byte[] payload) {
    Fingerprint fingerprint = new Fingerprint();
    fingerprint.text("handoff-fence-request-1");
    fingerprint.definition(request.definition());
    fingerprint.bytes(payload);
    fingerprint.text(request.idempotencyKey().value());
    fingerprint.number(request.priority());
    fingerprint.micros(request.delay());
    request.deadline().ifPresent(fingerprint::deadline);
    request.attemptPlan().ifPresent(fingerprint::plan);
    return fingerprint.digest.digest();
  }

  /** Returns the hash that is kept beside a payload. */
  static byte[] ofPayload(byte[] payload) {
    return sha256().digest(payload);
  }

  private void definition(WorkDefinition<?, ?> definition) {
    text(definition.name());
    text(definition.version());
    text(definition.payloadCodec().format());
    text(definition.providerSafety().name());
    retry(definition.retry());
    lease(definition.lease());
  }

  private void retry(RetryPolicy retry) {
    text("exponential-v1");
    number(retry.maxAttempts());
    micros(retry.initialDelay());
    micros(retry.maximumDelay());
    retry.elapsedHorizon().ifPresent(this::horizon);
  }

  private void lease(LeasePolicy lease) {
    text("lease");
    micros(lease.duration());
    micros(lease.maximumLifetime());
  }

  private void horizon(Duration horizon) {
    text("horizon");
    micros(horizon);
  }

  private void deadline(Instant deadline) {
    text("deadline");
    // Not ChronoUnit.MICROS.between, which counts nanoseconds inside and overflows after 292 years.
    number(deadline.getEpochSecond() * 1_000_000 + deadline.getNano() / 1_000);
  }

  private void plan(AttemptPlan plan) {
    text("plan");
    number(plan.offsets().size());
    plan.offsets().forEach(this::micros);
    micros(plan.circuitDuration());
  }

  private void text(String value) {
    bytes(value.getBytes(StandardCharsets.UTF_8));
  }

  private void micros(Duration value) {
    number(TimeUnit.MICROSECONDS.convert(value));
  }

  private void number(long value) {
    bytes(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
  }

  private void bytes(byte[] value) {
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(value.length).array());
    digest.update(value);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }
}
