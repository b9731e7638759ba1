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

  /** What is wrong. */
  private final Problem problem;

  /**
   * Makes one of which nothing more is known.
   *
   * @param problem the entry of the catalog
   */
  public DurableException(Problem problem) {
    this(problem, null, null);
  }

  /**
   * Makes one with what was observed.
   *
   * @param problem the entry of the catalog
   * @param observed limits, counts or names of settings; never anything of the application's
   */
  public DurableException(Problem problem, @Nullable String observed) {
    this(problem, observed, null);
  }

  /**
   * Makes one with what was observed and what is behind it.
   *
   * @param problem the entry of the catalog
   * @param observed limits, counts or names of settings; never anything of the application's
   * @param cause the failure behind it, if there is one
   */
  public DurableException(Problem problem, @Nullable String observed, @Nullable Throwable cause) {
    super(message(problem, observed), cause);
    this.problem = problem;
  }

  /** {@return the catalog entry that says what to do} */
  public final Problem problem() {
    return problem;
  }

  private static String message(Problem problem, @Nullable String observed) {
    Objects.requireNonNull(problem, "problem");
    String seen = observed == null ? "" : " Observed: " + observed + ".";
    return problem.code() + " " + problem.problem() + seen + " " + problem.fix();
  }
}
