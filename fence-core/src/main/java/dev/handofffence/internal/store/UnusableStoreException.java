package dev.handofffence.internal.store;

import dev.handofffence.Problem;
import java.io.Serial;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The store is not one that this runtime may use: nothing was done in it. */
public final class UnusableStoreException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  private final Problem problem;
  private final @Nullable String observed;

  public UnusableStoreException(Problem problem) {
    this(problem, null);
  }

  /**
   * Keeps what was seen beside the problem.
   *
   * @param observed a fixed text, for the log; null when the problem says it all
   */
  public UnusableStoreException(Problem problem, @Nullable String observed) {
    super(problem.code() + " " + problem.problem());
    this.problem = problem;
    this.observed = observed;
  }

  public Problem problem() {
    return problem;
  }

  /** Returns what to log: the code, and what was seen where that says more. */
  public String describe() {
    return observed == null ? problem.code() : problem.code() + ", " + observed;
  }

  /** Returns what was seen beside the problem. */
  public Optional<String> observed() {
    return Optional.ofNullable(observed);
  }
}
