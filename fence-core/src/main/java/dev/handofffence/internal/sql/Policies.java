package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.WORK;
import static dev.handofffence.generated.Tables.WORK_SNAPSHOT;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.greatest;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.least;
import static org.jooq.impl.DSL.when;

import dev.handofffence.generated.type.ProviderSafety;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * The execution policies of an acceptance snapshot, by the database's clock (protocol section 8).
 */
final class Policies {

  /** Doubling the shortest delay, 1 ms, so often exceeds the longest, 366 days. */
  private static final int ENOUGH_DOUBLINGS = 40;

  /** Finite, so that a Work which kills its worker before it can be permitted ends, too. */
  private static final int MOST_LOST_CLAIMS = 100;

  private Policies() {}

  static Condition snapshotIsTheWorks() {
    return WORK_SNAPSHOT
        .SCOPE_ID
        .eq(ScopeSql.SCOPE_ID_PARAM)
        .and(WORK_SNAPSHOT.WORK_ID.eq(WORK.WORK_ID));
  }

  static Condition unknownOutcomeIsRetried() {
    return WORK_SNAPSHOT.PROVIDER_SAFETY.in(
        inline(ProviderSafety.IDEMPOTENT, WORK_SNAPSHOT.PROVIDER_SAFETY.getDataType()),
        inline(ProviderSafety.PROVIDER_KEYED, WORK_SNAPSHOT.PROVIDER_SAFETY.getDataType()));
  }

  /** Whether an attempt may start at this time, as far as limits go. */
  static Condition attemptIsAllowedAt(Field<Instant> time) {
    return DSL.not(attemptsAreExhausted())
        .andNot(horizonHasElapsedAt(time))
        .andNot(circuitHasElapsedAt(time))
        .andNot(deadlineHasPassedAt(time));
  }

  static Condition attemptsAreExhausted() {
    return countedAttempts().ge(WORK_SNAPSHOT.MAX_ATTEMPTS.plus(WORK.EXTRA_ATTEMPTS));
  }

  /**
   * The attempts that policies speak of. One that was lost before its permit cannot have had an
   * effect, and says nothing about the provider: it does not count, though its number is used.
   */
  private static Field<Integer> countedAttempts() {
    return greatest(WORK.PERMITTED_ATTEMPTS, WORK.ATTEMPT.minus(inline(MOST_LOST_CLAIMS)));
  }

  /** The highest number that an attempt may get, as far as it is known by now. */
  static Field<Integer> mostAttempts() {
    return WORK_SNAPSHOT
        .MAX_ATTEMPTS
        .plus(WORK.EXTRA_ATTEMPTS)
        .plus(WORK.ATTEMPT)
        .minus(countedAttempts());
  }

  /** What operators must allow beyond the policy so that one more attempt may start. */
  static Field<Integer> roomForOneMoreAttempt(Field<Integer> policys) {
    return greatest(WORK.EXTRA_ATTEMPTS, countedAttempts().plus(inline(1)).minus(policys));
  }

  static Condition horizonHasElapsedAt(Field<Instant> time) {
    return isOver(Times.plus(WORK_SNAPSHOT.ACCEPTED_AT, WORK_SNAPSHOT.ELAPSED_HORIZON), time);
  }

  static Condition circuitHasElapsedAt(Field<Instant> time) {
    return isOver(Times.plus(WORK_SNAPSHOT.ACCEPTED_AT, WORK_SNAPSHOT.CIRCUIT_DURATION), time);
  }

  static Condition deadlineHasPassedAt(Field<Instant> time) {
    return isOver(WORK.DEADLINE_AT, time);
  }

  /**
   * When the attempt after the last one is due; null when an attempt plan has no further slot.
   * Slots that went by are passed over: the next one is strictly in the future, so that attempts
   * which are late do not run one after the other.
   */
  static Field<Instant> retryDueAfter(Field<Instant> now) {
    return when(
            WORK_SNAPSHOT.ATTEMPT_OFFSETS.isNull(),
            Times.plusSeconds(now, backoff(countedAttempts())))
        .otherwise(nextSlot(now));
  }

  /** When an attempt that somebody asked for is due: at once, or at the next slot of a plan. */
  static Field<Instant> dueByCommand(Field<Instant> now) {
    return coalesce(when(WORK_SNAPSHOT.ATTEMPT_OFFSETS.isNotNull(), nextSlot(now)), now);
  }

  /** The lease of a claim is never granted past this. */
  static Field<Instant> leaseEnd(
      Field<Instant> leasedAt, Field<Instant> now, Field<Instant> deadline) {
    return leaseEnd(
        leasedAt, now, WORK_SNAPSHOT.LEASE_DURATION, WORK_SNAPSHOT.LEASE_MAX_LIFETIME, deadline);
  }

  /** The same with the policy as an earlier step of the statement has read it. */
  static Field<Instant> leaseEnd(
      Field<Instant> leasedAt,
      Field<Instant> now,
      Field<Duration> duration,
      Field<Duration> maxLifetime,
      Field<Instant> deadline) {
    return least(
        Times.plus(now, duration),
        Times.plus(leasedAt, maxLifetime),
        deadline); // least() passes over nulls
  }

  /** The pause after so many attempts, in seconds, of a retry policy without a plan. */
  static Field<BigDecimal> backoff(Field<Integer> attempt) {
    Field<Integer> doublings = least(attempt.minus(inline(1)), inline(ENOUGH_DOUBLINGS));
    Field<BigDecimal> factor = DSL.power(inline(new BigDecimal(2)), doublings);
    return least(
        Times.seconds(WORK_SNAPSHOT.RETRY_MAXIMUM),
        Times.seconds(WORK_SNAPSHOT.RETRY_INITIAL).times(factor));
  }

  private static Field<Instant> nextSlot(Field<Instant> now) {
    Field<Instant> slot =
        Times.plusSeconds(
            WORK_SNAPSHOT.ACCEPTED_AT,
            Times.microseconds(DSL.field(DSL.name("slot", "after"), SQLDataType.BIGINT)));
    Field<Long> number = DSL.field(DSL.name("slot", "number"), SQLDataType.BIGINT);
    return DSL.field(
        DSL.select(DSL.min(slot))
            .from(
                DSL.unnest(WORK_SNAPSHOT.ATTEMPT_OFFSETS)
                    .withOrdinality()
                    .as("slot", "after", "number"))
            .where(number.gt(countedAttempts().cast(SQLDataType.BIGINT)))
            .and(slot.gt(now)));
  }

  /** A limit that does not exist is never over. */
  private static Condition isOver(Field<Instant> limit, Field<Instant> time) {
    return condition(coalesce(DSL.field(limit.le(time)), inline(false)));
  }
}
