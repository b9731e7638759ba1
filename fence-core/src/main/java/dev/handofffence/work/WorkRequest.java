package dev.handofffence.work;

import dev.handofffence.CommandId;
import dev.handofffence.DurableException;
import dev.handofffence.IdempotencyKey;
import dev.handofffence.Problem;
import dev.handofffence.ScopeId;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * One Work to be accepted. Immutable; the {@code with} methods return changed copies. Everything in
 * it enters the fingerprint that tells a repeated command from a conflicting one.
 *
 * @param <P> type of the payload
 * @param <R> type of the result
 * @param definition the contract
 * @param scope the tenant
 * @param commandId unique in the scope; repeating it with the same content is answered with the
 *     original ids
 * @param idempotencyKey the application's key of the logical effect, unique in the scope
 * @param payload what the executor will be given
 * @param priority 0 (last) to 9 (first); 5 unless said otherwise
 * @param delay how long after acceptance the first attempt is due; zero to 366 days
 * @param deadline no effect is permitted at or after this instant, by the database's clock; kept to
 *     the microsecond, rounded down; from 1970 to 9999
 * @param attemptPlan fixed times of the attempts instead of the definition's retry policy; not
 *     together with a delay, since its offsets count from acceptance
 */
public record WorkRequest<P, R>(
    WorkDefinition<P, R> definition,
    ScopeId scope,
    CommandId commandId,
    IdempotencyKey idempotencyKey,
    P payload,
    int priority,
    Duration delay,
    Optional<Instant> deadline,
    Optional<AttemptPlan> attemptPlan) {

  private static final Instant END_OF_DEADLINES = Instant.parse("+10000-01-01T00:00:00Z");

  /** Priority of a request that names none. */
  public static final int NORMAL_PRIORITY = 5;

  /**
   * Checks the values.
   *
   * @param definition the contract
   * @param scope the tenant
   * @param commandId unique in the scope; repeating it with the same content is answered with the
   *     original ids
   * @param idempotencyKey the application's key of the logical effect, unique in the scope
   * @param payload what the executor will be given
   * @param priority 0 (last) to 9 (first); 5 unless said otherwise
   * @param delay how long after acceptance the first attempt is due; zero to 366 days
   * @param deadline no effect is permitted at or after this instant, by the database's clock; kept
   *     to the microsecond, rounded down; from 1970 to 9999
   * @param attemptPlan fixed times of the attempts instead of the definition's retry policy; not
   *     together with a delay, since its offsets count from acceptance
   * @throws dev.handofffence.DurableException DUR100 when one is out of its range
   */
  public WorkRequest {
    Objects.requireNonNull(definition, "definition");
    Objects.requireNonNull(scope, "scope");
    Objects.requireNonNull(commandId, "commandId");
    Objects.requireNonNull(idempotencyKey, "idempotencyKey");
    Objects.requireNonNull(payload, "payload");
    Objects.requireNonNull(deadline, "deadline");
    Objects.requireNonNull(attemptPlan, "attemptPlan");
    if (priority < 0 || priority > 9) {
      throw invalid("priority is " + priority + "; allowed are 0 to 9");
    }
    if (delay.isNegative() || delay.compareTo(Duration.ofDays(366)) > 0) {
      throw invalid("delay is " + delay + "; allowed are PT0S to PT8784H");
    }
    if (attemptPlan.isPresent() && !delay.isZero()) {
      throw invalid("an attempt plan together with a delay; the plan says when attempts are due");
    }
    deadline.ifPresent(WorkRequest::checkDeadline);
  }

  static <P, R> WorkRequest<P, R> of(
      WorkDefinition<P, R> definition,
      ScopeId scope,
      CommandId commandId,
      IdempotencyKey key,
      P payload) {
    return new WorkRequest<>(
        definition,
        scope,
        commandId,
        key,
        payload,
        NORMAL_PRIORITY,
        Duration.ZERO,
        Optional.empty(),
        Optional.empty());
  }

  /**
   * {@return the same request with another priority, 0 to 9}
   *
   * @param value 0 (last) to 9 (first)
   */
  public WorkRequest<P, R> withPriority(int value) {
    return new WorkRequest<>(
        definition, scope, commandId, idempotencyKey, payload, value, delay, deadline, attemptPlan);
  }

  /**
   * {@return the same request, first due so long after acceptance}
   *
   * @param value zero to 366 days
   */
  public WorkRequest<P, R> withDelay(Duration value) {
    return new WorkRequest<>(
        definition,
        scope,
        commandId,
        idempotencyKey,
        payload,
        priority,
        value,
        deadline,
        attemptPlan);
  }

  /**
   * {@return the same request with a deadline}
   *
   * @param value an instant after acceptance, by the database's clock
   */
  public WorkRequest<P, R> withDeadline(Instant value) {
    return new WorkRequest<>(
        definition,
        scope,
        commandId,
        idempotencyKey,
        payload,
        priority,
        delay,
        Optional.of(value),
        attemptPlan);
  }

  /**
   * {@return the same request with fixed times of its attempts}
   *
   * @param value the times
   */
  public WorkRequest<P, R> withAttemptPlan(AttemptPlan value) {
    return new WorkRequest<>(
        definition,
        scope,
        commandId,
        idempotencyKey,
        payload,
        priority,
        delay,
        deadline,
        Optional.of(value));
  }

  private static void checkDeadline(Instant deadline) {
    if (deadline.isBefore(Instant.EPOCH) || !deadline.isBefore(END_OF_DEADLINES)) {
      throw invalid("deadline is " + deadline + "; allowed are the years 1970 to 9999");
    }
  }

  private static DurableException invalid(String observed) {
    return new DurableException(Problem.INVALID_REQUEST, observed);
  }

  /** Returns a text without payload, scope and keys. */
  @Override
  public String toString() {
    return "WorkRequest[definition=" + definition + "]";
  }
}
