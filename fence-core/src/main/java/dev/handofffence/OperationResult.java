package dev.handofffence;

import java.util.Objects;

/**
 * The ending of an operation that may be refused for a known reason: a value, or the one problem
 * that applied first.
 *
 * <p>A refusal is a value because callers must handle it; misuse and infrastructure failures are
 * exceptions. Immutable.
 *
 * @param <T> type of the value of a success
 */
public sealed interface OperationResult<T> {

  /**
   * The operation did what was asked.
   *
   * @param <T> type of the value
   * @param value what came out of it
   */
  record Success<T>(T value) implements OperationResult<T> {
    /**
     * Checks the values.
     *
     * @param value what came out of it
     */
    public Success {
      Objects.requireNonNull(value, "value");
    }
  }

  /**
   * The operation was refused and changed nothing that its documentation does not name.
   *
   * @param <T> type of the value
   * @param problem why it was refused
   */
  record Failure<T>(Problem problem) implements OperationResult<T> {
    /**
     * Checks the values.
     *
     * @param problem why it was refused
     */
    public Failure {
      Objects.requireNonNull(problem, "problem");
    }
  }

  /**
   * {@return a success}
   *
   * @param <T> type of the value
   * @param value what came out of it
   */
  static <T> OperationResult<T> success(T value) {
    return new Success<>(value);
  }

  /**
   * {@return a refusal}
   *
   * @param <T> type of the value
   * @param problem the entry of the catalog
   */
  static <T> OperationResult<T> failure(Problem problem) {
    return new Failure<>(problem);
  }

  /** {@return whether it is a success} */
  default boolean isSuccess() {
    return this instanceof Success;
  }

  /**
   * {@return the value of a success}
   *
   * @throws DurableException when this is a failure; it carries the problem
   */
  default T orElseThrow() {
    if (this instanceof Success<T> success) {
      return success.value();
    }
    throw new DurableException(((Failure<T>) this).problem());
  }
}
