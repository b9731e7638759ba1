package dev.handofffence;

import java.io.Serial;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A misuse or an infrastructure failure that has an entry in the diagnostics catalog.
 *
 * <p>The message is the catalog's fixed text, sometimes followed by what was observed (limits,
 * counts, names of settings). It never holds payloads, identifiers of the application, SQL or
 * server text; those of a cause stay in the cause.
 */
public class DurableException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  private final Problem problem;

  public DurableException(Problem problem) {
    this(problem, null, null);
  }

  public DurableException(Problem problem, @Nullable String observed) {
    this(problem, observed, null);
  }

  public DurableException(Problem problem, @Nullable String observed, @Nullable Throwable cause) {
    super(message(problem, observed), cause);
    this.problem = problem;
  }

  /** Returns the catalog entry that says what to do. */
  public final Problem problem() {
    return problem;
  }

  private static String message(Problem problem, @Nullable String observed) {
    Objects.requireNonNull(problem, "problem");
    String seen = observed == null ? "" : " Observed: " + observed + ".";
    return problem.code() + " " + problem.problem() + seen + " " + problem.fix();
  }
}
