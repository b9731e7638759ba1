package dev.handofffence.runtime;

import dev.handofffence.Problem;
import java.util.Optional;

/** What the schema of a store is like for this version of the library. */
public enum SchemaState {
  /** No table of the library exists: apply the migrations. */
  MISSING(Problem.SCHEMA_MISSING),
  /** It is older than this library needs: apply the migrations of this version. */
  UPGRADE_REQUIRED(Problem.SCHEMA_TOO_OLD),
  /** It no longer admits this library: update the library. */
  TOO_NEW(Problem.SCHEMA_TOO_NEW),
  /** Something is absent or was changed by hand; the findings of the status say what. */
  INCONSISTENT(Problem.SCHEMA_INCONSISTENT),
  /** It may be used. */
  READY(null);

  private final Optional<Problem> problem;

  SchemaState(@org.jspecify.annotations.Nullable Problem problem) {
    this.problem = Optional.ofNullable(problem);
  }

  /** {@return the catalog entry that says what to do; empty when the schema is ready} */
  public Optional<Problem> problem() {
    return problem;
  }
}
