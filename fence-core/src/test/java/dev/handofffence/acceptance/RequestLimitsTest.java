package dev.handofffence.acceptance;

import static dev.handofffence.acceptance.Requests.SCOPE;
import static dev.handofffence.acceptance.Requests.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.CommandId;
import dev.handofffence.DurableException;
import dev.handofffence.IdempotencyKey;
import dev.handofffence.ScopeId;
import dev.handofffence.StoreIdentity;
import dev.handofffence.fixture.CountingConnections;
import dev.handofffence.internal.work.Acceptance;
import dev.handofffence.internal.work.AcceptanceLimits;
import dev.handofffence.work.AttemptPlan;
import dev.handofffence.work.PayloadCodec;
import dev.handofffence.work.PayloadCodecs;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.RetryPolicy;
import dev.handofffence.work.WorkDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What is wrong with a request is said before anything is sent (DUR100), without the value. */
class RequestLimitsTest {

  /** There is no database: whatever opened a connection would fail with DUR103. */
  private final CountingConnections nowhere = new CountingConnections(new PGSimpleDataSource());

  @Test
  void payloadOverTheLimit_isRefusedAndOneAtTheLimitIsNot() {
    assertInvalid(
        () -> acceptance(10).accept(request("c1", "k1", "elevenbytes")),
        "payload of 11 bytes; allowed are 10");
    assertThatThrownBy(() -> acceptance(11).accept(request("c1", "k1", "elevenbytes")))
        .hasMessageContaining("DUR103");
  }

  @Test
  void standardLimit_isOneMebibyte() {
    assertThat(AcceptanceLimits.standard().maxPayloadBytes()).isEqualTo(1_048_576);
    assertInvalid(() -> new AcceptanceLimits(0), "maxPayloadBytes is 0");
    assertInvalid(() -> new AcceptanceLimits(Integer.MAX_VALUE), "maxPayloadBytes is 2147483647");
  }

  @Test
  void codecThatFails_isTheCause() {
    PayloadCodec<String> broken =
        new PayloadCodec<>() {
          @Override
          public String format() {
            return "broken";
          }

          @Override
          public byte[] encode(String value) {
            throw new IllegalStateException("secret " + value);
          }

          @Override
          public String decode(byte[] bytes) {
            return "";
          }
        };

    assertThatThrownBy(
            () ->
                acceptance(10)
                    .accept(
                        WorkDefinition.named("c", "v")
                            .payload(broken)
                            .result(PayloadCodecs.text())
                            .providerSafety(ProviderSafety.IDEMPOTENT)
                            .build()
                            .request(
                                SCOPE, CommandId.of("c1"), IdempotencyKey.of("k1"), "payload")))
        .isInstanceOf(DurableException.class)
        .hasMessageContaining("DUR100")
        .hasMessageContaining("the payload codec of c/v failed")
        .hasMessageNotContaining("secret")
        .hasRootCauseMessage("secret payload");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "with space", "ümlaut", "semi;colon", "new\nline", "nul\0"})
  void identifiersOfAnotherForm_areRefusedWithoutBeingRepeated(String value) {
    for (ThrowingCallable made :
        List.<ThrowingCallable>of(
            () -> ScopeId.of(value),
            () -> CommandId.of(value),
            () -> IdempotencyKey.of(value),
            () -> WorkDefinition.named(value, "v1"),
            () -> WorkDefinition.named("name", value))) {
      assertInvalid(made, "of " + value.length() + " characters");
    }
  }

  @Test
  void identifiersThatAreTooLong_areRefused() {
    String longest = "x".repeat(200);
    assertThat(ScopeId.of(longest).value()).isEqualTo(longest);
    assertInvalid(() -> ScopeId.of(longest + "x"), "201 characters");
    assertInvalid(() -> WorkDefinition.named("n", "v".repeat(101)), "101 characters");
  }

  @Test
  void formatOfACodec_isCheckedWhenTheDefinitionIsBuilt() {
    PayloadCodec<String> named =
        new PayloadCodec<>() {
          @Override
          public String format() {
            return "Not A Format";
          }

          @Override
          public byte[] encode(String value) {
            return new byte[0];
          }

          @Override
          public String decode(byte[] bytes) {
            return "";
          }
        };

    assertInvalid(
        () ->
            WorkDefinition.named("n", "v")
                .payload(named)
                .result(PayloadCodecs.text())
                .providerSafety(ProviderSafety.IDEMPOTENT)
                .build(),
        "format of the payload codec");
  }

  @Test
  void numbersAndTimesOutOfRange_areRefused() {
    var request = request("c1", "k1", "x");

    assertInvalid(() -> request.withPriority(10), "priority is 10");
    assertInvalid(() -> request.withPriority(-1), "priority is -1");
    assertInvalid(() -> request.withDelay(Duration.ofNanos(-1)), "delay is");
    assertInvalid(() -> request.withDelay(Duration.ofDays(367)), "delay is");
    assertInvalid(() -> request.withDeadline(Instant.MAX), "deadline is");
    assertInvalid(() -> request.withDeadline(Instant.MIN), "deadline is");
    assertInvalid(
        () -> request.withDelay(Duration.ofSeconds(1)).withAttemptPlan(plan(Duration.ZERO)),
        "together with a delay");
    assertInvalid(() -> RetryPolicy.attempts(0), "maxAttempts is 0");
  }

  @Test
  void attemptPlansOfAnotherForm_areRefused() {
    assertInvalid(() -> plan(), "0 offsets");
    assertInvalid(() -> plan(Duration.ofMillis(1)), "must be zero");
    assertInvalid(() -> plan(Duration.ZERO, Duration.ZERO), "not greater");
    assertInvalid(() -> plan(Duration.ZERO, Duration.ofNanos(1)), "microseconds");
    assertInvalid(() -> plan(Duration.ZERO, Duration.ofDays(1)), "circuit duration");
    assertInvalid(
        () -> new AttemptPlan(List.of(Duration.ZERO), Duration.ofDays(4000)), "circuit duration");
  }

  private Acceptance acceptance(int maxPayloadBytes) {
    return new Acceptance(
        StoreIdentity.of(UUID.randomUUID(), UUID.randomUUID()),
        nowhere,
        new AcceptanceLimits(maxPayloadBytes));
  }

  private static AttemptPlan plan(Duration... offsets) {
    return new AttemptPlan(List.of(offsets), Duration.ofHours(1));
  }

  private void assertInvalid(ThrowingCallable call, String observed) {
    assertThatThrownBy(call)
        .isInstanceOf(DurableException.class)
        .hasMessageContaining("DUR100")
        .hasMessageContaining(observed);
    assertThat(nowhere.opened()).as("connections").isZero();
  }
}
