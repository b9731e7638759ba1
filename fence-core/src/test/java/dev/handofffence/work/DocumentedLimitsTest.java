package dev.handofffence.work;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.CommandId;
import dev.handofffence.DurableException;
import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;
import dev.handofffence.runtime.EpochChange;
import dev.handofffence.runtime.HostOptions;
import dev.handofffence.runtime.PumpPass;
import dev.handofffence.runtime.RetentionPolicy;
import dev.handofffence.runtime.RoleNames;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every documented bound holds: what is on it is taken, what is beyond it is refused by DUR100. */
class DocumentedLimitsTest {

  private static final Duration MILLI = Duration.ofMillis(1);
  private static final Duration NANO = Duration.ofNanos(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration YEAR = Duration.ofDays(366);
  private static final UUID EPOCH = new UUID(1, 1);

  static Stream<Named<ThrowingCallable>> within() {
    return Stream.of(
        Named.of("one attempt", () -> RetryPolicy.attempts(1)),
        Named.of("a million attempts", () -> RetryPolicy.attempts(1_000_000)),
        Named.of("equal delays", () -> RetryPolicy.attempts(2).withDelays(MILLI, MILLI)),
        Named.of("a year's delay", () -> RetryPolicy.attempts(2).withDelays(MILLI, YEAR)),
        Named.of("the shortest horizon", () -> RetryPolicy.attempts(2).withElapsedHorizon(MILLI)),
        Named.of(
            "the longest horizon",
            () -> RetryPolicy.attempts(2).withElapsedHorizon(YEAR.multipliedBy(10))),
        Named.of(
            "the shortest lease",
            () -> LeasePolicy.of(Duration.ofMillis(100), Duration.ofMillis(100))),
        Named.of("the longest lease", () -> LeasePolicy.of(DAY, Duration.ofDays(30))),
        Named.of("one Work", () -> PumpPass.of(1).within(NANO)),
        Named.of("ten thousand Works", () -> PumpPass.of(10_000)),
        Named.of("no patience", () -> EpochChange.of(EPOCH, "a", "b").within(Duration.ZERO)),
        Named.of("a day's patience", () -> EpochChange.of(EPOCH, "a", "b").within(DAY)),
        Named.of("long names", () -> EpochChange.of(EPOCH, "a".repeat(200), "b".repeat(2000))),
        Named.of("long command", () -> command("a".repeat(200), "b".repeat(2000))),
        Named.of("the largest page", () -> query().limit(1_000)),
        Named.of("the shortest windows", () -> RetentionPolicy.of(HOUR, Duration.ofDays(7))),
        Named.of("long role", () -> new RoleNames("a".repeat(63), "b", "c", "d")),
        Named.of("polling at once", () -> polling(MILLI, MILLI)),
        Named.of("polling hourly", () -> polling(HOUR, HOUR)),
        Named.of(
            "fast heartbeat",
            () -> HostOptions.builder().heartbeat(Duration.ofMillis(100)).build()),
        Named.of("no draining", () -> HostOptions.builder().drainTimeout(Duration.ZERO).build()),
        Named.of("256 offsets", () -> new AttemptPlan(offsets(256), Duration.ofSeconds(256))),
        Named.of("a format", () -> Evidence.applied("a-1", new byte[0])));
  }

  static Stream<Named<ThrowingCallable>> beyond() {
    return Stream.of(
        Named.of("no attempt", () -> RetryPolicy.attempts(0)),
        Named.of("too many attempts", () -> RetryPolicy.attempts(1_000_001)),
        Named.of("no delay", () -> RetryPolicy.attempts(2).withDelays(MILLI.minus(NANO), MILLI)),
        Named.of("a long delay", () -> RetryPolicy.attempts(2).withDelays(MILLI, YEAR.plus(NANO))),
        Named.of("shrinking delays", () -> RetryPolicy.attempts(2).withDelays(HOUR, MILLI)),
        Named.of("no horizon", () -> RetryPolicy.attempts(2).withElapsedHorizon(Duration.ZERO)),
        Named.of(
            "a long horizon",
            () -> RetryPolicy.attempts(2).withElapsedHorizon(YEAR.multipliedBy(11))),
        Named.of("a short lease", () -> LeasePolicy.of(Duration.ofMillis(99), DAY)),
        Named.of("a long lease", () -> LeasePolicy.of(DAY.plus(NANO), Duration.ofDays(2))),
        Named.of("a lifetime below the lease", () -> LeasePolicy.of(HOUR, HOUR.minus(NANO))),
        Named.of("a long lifetime", () -> LeasePolicy.of(HOUR, Duration.ofDays(31))),
        Named.of("no Work", () -> PumpPass.of(0)),
        Named.of("too much Work", () -> PumpPass.of(10_001)),
        Named.of("no time", () -> PumpPass.of(1).within(Duration.ZERO)),
        Named.of("less than no time", () -> PumpPass.of(1).within(NANO.negated())),
        Named.of("negative patience", () -> EpochChange.of(EPOCH, "a", "b").within(NANO.negated())),
        Named.of("too much patience", () -> EpochChange.of(EPOCH, "a", "b").within(DAY.plus(NANO))),
        Named.of("nobody", () -> EpochChange.of(EPOCH, "", "b")),
        Named.of("no reason", () -> EpochChange.of(EPOCH, "a", "")),
        Named.of("a long actor", () -> command("a".repeat(201), "b")),
        Named.of("a long reason", () -> command("a", "b".repeat(2001))),
        Named.of("no actor", () -> command("", "b")),
        Named.of("an empty page", () -> query().limit(0)),
        Named.of("too large a page", () -> query().limit(1_001)),
        Named.of("a short window", () -> RetentionPolicy.of(HOUR.minus(NANO), Duration.ofDays(7))),
        Named.of("a short memory", () -> RetentionPolicy.of(HOUR, Duration.ofDays(7).minus(NANO))),
        Named.of(
            "a memory below the Work's",
            () -> RetentionPolicy.of(Duration.ofDays(30), Duration.ofDays(30))),
        Named.of("no states", () -> retention().onlyStates(Set.of())),
        Named.of("open states", () -> retention().onlyStates(Set.of(WorkState.SUSPENDED))),
        Named.of("a nameless role", () -> new RoleNames("a", "", "c", "d")),
        Named.of("a long role", () -> new RoleNames("a", "b".repeat(64), "c", "d")),
        Named.of("a role twice", () -> new RoleNames("a", "b", "c", "d").withRetention("a")),
        Named.of("no pause", () -> polling(Duration.ZERO, MILLI)),
        Named.of("shrinking pauses", () -> polling(HOUR, MILLI)),
        Named.of("a long pause", () -> polling(MILLI, HOUR.plus(NANO))),
        Named.of("a nameless host", () -> HostOptions.builder().displayName("").build()),
        Named.of("a long name", () -> HostOptions.builder().displayName("x".repeat(201)).build()),
        Named.of("a slow heart", () -> HostOptions.builder().heartbeat(HOUR).build()),
        Named.of("a long drain", () -> HostOptions.builder().drainTimeout(DAY.plus(NANO)).build()),
        Named.of("no offsets", () -> new AttemptPlan(List.of(), HOUR)),
        Named.of("257 offsets", () -> new AttemptPlan(offsets(257), HOUR)),
        Named.of("a late start", () -> new AttemptPlan(List.of(MILLI), HOUR)),
        Named.of(
            "equal offsets", () -> new AttemptPlan(List.of(Duration.ZERO, MILLI, MILLI), HOUR)),
        Named.of("nanoseconds", () -> new AttemptPlan(List.of(Duration.ZERO, NANO), HOUR)),
        Named.of(
            "a circuit that closes early",
            () -> new AttemptPlan(List.of(Duration.ZERO, HOUR), HOUR)),
        Named.of(
            "a circuit of years",
            () -> new AttemptPlan(List.of(Duration.ZERO), Duration.ofDays(3_661))),
        Named.of("an odd format", () -> Evidence.applied("No Format", new byte[0])));
  }

  @ParameterizedTest
  @MethodSource("within")
  void valueOnTheBound_isTaken(ThrowingCallable made) {
    assertThatCode(made).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @MethodSource("beyond")
  void valueBeyondTheBound_isRefused(ThrowingCallable made) {
    assertThatThrownBy(made)
        .isInstanceOf(DurableException.class)
        .hasMessageStartingWith("DUR100")
        .hasMessageContaining("Observed: ");
  }

  private static HostOptions polling(Duration fastest, Duration slowest) {
    return HostOptions.builder().polling(fastest, slowest).build();
  }

  private static RetentionPolicy retention() {
    return RetentionPolicy.of(DAY, YEAR);
  }

  private static WorkQuery query() {
    return WorkQuery.of(ScopeId.of("tenant"));
  }

  private static WorkCommand command(String actor, String reason) {
    return WorkCommand.of(
        ScopeId.of("tenant"), new WorkId(EPOCH), CommandId.of("c"), actor, reason);
  }

  private static List<Duration> offsets(int number) {
    return Stream.iterate(Duration.ZERO, last -> last.plusSeconds(1)).limit(number).toList();
  }
}
