package dev.handofffence.internal.store;

import dev.handofffence.Problem;
import java.io.Serial;

/** The store is not one that this runtime may use: nothing was done in it. */
public final class UnusableStoreException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  private final Problem problem;

  public UnusableStoreException(Problem problem) {
    super(problem.code() + " " + problem.problem());
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}
