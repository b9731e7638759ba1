package dev.handofffence.internal.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.CommandId;
import dev.handofffence.IdempotencyKey;
import dev.handofffence.ScopeId;
import dev.handofffence.work.AttemptPlan;
import dev.handofffence.work.LeasePolicy;
import dev.handofffence.work.PayloadCodecs;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.RetryPolicy;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FingerprintTest {

  private static final RetryPolicy RETRY = RetryPolicy.attempts(10);
  private static final LeasePolicy LEASE = LeasePolicy.standard();
  private static final Instant DEADLINE = Instant.parse("2030-01-01T00:00:00Z");

  /** Fingerprints are kept for years: these bytes may never change. */
  @Test
  void fingerprint_isStable() {
    assertThat(of(base()))
        .isEqualTo("28b626306f6713fb6b1a9ac476f4eb6e57249bcb1a5d8a572bdd97ac0c0981fa");
    assertThat(of(base().withDeadline(DEADLINE).withAttemptPlan(plan(3))))
        .isEqualTo("f0920809064e772ef588f8678ec42f4f92212eb615c5bf2c13807c406a10d825");
  }

  @Test
  void everythingThatWasAskedFor_changesIt() {
    Stream<WorkRequest<String, String>> different =
        Stream.of(
            base(),
            definition("other", "v1", ProviderSafety.IDEMPOTENT, RETRY, LEASE),
            definition("name", "v2", ProviderSafety.IDEMPOTENT, RETRY, LEASE),
            definition("namev", "1", ProviderSafety.IDEMPOTENT, RETRY, LEASE),
            definition("name", "v1", ProviderSafety.PROVIDER_KEYED, RETRY, LEASE),
            definition("name", "v1", ProviderSafety.IDEMPOTENT, RetryPolicy.attempts(9), LEASE),
            withRetry(r -> r.withDelays(Duration.ofSeconds(2), r.maximumDelay())),
            withRetry(r -> r.withDelays(r.initialDelay(), Duration.ofMinutes(6))),
            withRetry(r -> r.withElapsedHorizon(Duration.ofHours(1))),
            withRetry(r -> r.withElapsedHorizon(Duration.ofHours(2))),
            withLease(LeasePolicy.of(Duration.ofSeconds(31), LEASE.maximumLifetime())),
            withLease(LeasePolicy.of(LEASE.duration(), Duration.ofHours(2))),
            request("key2", "payload"),
            request("key", "payload2"),
            request("key", ""),
            base().withPriority(6),
            base().withDelay(Duration.ofSeconds(1)),
            base().withDeadline(DEADLINE),
            base().withDeadline(DEADLINE.plusNanos(1000)),
            base().withAttemptPlan(plan(1)),
            base().withAttemptPlan(plan(2)),
            base().withAttemptPlan(new AttemptPlan(List.of(Duration.ZERO), Duration.ofDays(2))));

    assertThat(different.map(FingerprintTest::of)).doesNotHaveDuplicates();
  }

  @Test
  void formatOfThePayload_changesIt() {
    WorkRequest<byte[], String> bytes =
        WorkDefinition.named("name", "v1")
            .payload(PayloadCodecs.bytes())
            .result(PayloadCodecs.text())
            .providerSafety(ProviderSafety.IDEMPOTENT)
            .build()
            .request(
                ScopeId.of("scope"),
                CommandId.of("command"),
                IdempotencyKey.of("key"),
                new byte[0]);
    byte[] payload = "payload".getBytes(StandardCharsets.UTF_8);

    assertThat(Fingerprint.of(bytes, payload)).isNotEqualTo(Fingerprint.of(base(), payload));
  }

  @Test
  void commandAndScope_doNotChangeIt() {
    WorkRequest<String, String> other =
        base()
            .definition()
            .request(
                ScopeId.of("other"), CommandId.of("other"), IdempotencyKey.of("key"), "payload");

    assertThat(of(other)).isEqualTo(of(base()));
  }

  private static WorkRequest<String, String> base() {
    return request("key", "payload");
  }

  private static WorkRequest<String, String> request(String key, String payload) {
    return definition("name", "v1", ProviderSafety.IDEMPOTENT, RETRY, LEASE)
        .definition()
        .request(ScopeId.of("scope"), CommandId.of("command"), IdempotencyKey.of(key), payload);
  }

  private static WorkRequest<String, String> withRetry(UnaryOperator<RetryPolicy> change) {
    return definition("name", "v1", ProviderSafety.IDEMPOTENT, change.apply(RETRY), LEASE);
  }

  private static WorkRequest<String, String> withLease(LeasePolicy lease) {
    return definition("name", "v1", ProviderSafety.IDEMPOTENT, RETRY, lease);
  }

  private static WorkRequest<String, String> definition(
      String name, String version, ProviderSafety safety, RetryPolicy retry, LeasePolicy lease) {
    return WorkDefinition.named(name, version)
        .payload(PayloadCodecs.text())
        .result(PayloadCodecs.text())
        .providerSafety(safety)
        .retry(retry)
        .lease(lease)
        .build()
        .request(ScopeId.of("scope"), CommandId.of("command"), IdempotencyKey.of("key"), "payload");
  }

  private static AttemptPlan plan(int attempts) {
    return new AttemptPlan(
        Stream.iterate(Duration.ZERO, d -> d.plusSeconds(60)).limit(attempts).toList(),
        Duration.ofDays(1));
  }

  private static String of(WorkRequest<String, String> request) {
    return HexFormat.of()
        .formatHex(Fingerprint.of(request, request.payload().getBytes(StandardCharsets.UTF_8)));
  }
}
