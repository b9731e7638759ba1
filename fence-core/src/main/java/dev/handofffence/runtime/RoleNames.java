package dev.handofffence.runtime;

import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The roles of a store, which the host has created; all different.
 *
 * @param owner owns the schema and is the only one with DDL; need not be able to log in
 * @param dispatcher discovers due Work and reads no table
 * @param runtime accepts, runs and cancels Work
 * @param operator decides about suspended Work and changes scopes
 * @param retention removes what is old; empty where nothing is removed
 */
public record RoleNames(
    String owner, String dispatcher, String runtime, String operator, Optional<String> retention) {

  /** PostgreSQL cuts longer names off. */
  private static final int LONGEST = 63;

  /**
   * Checks the names.
   *
   * @param owner owns the schema and is the only one with DDL; need not be able to log in
   * @param dispatcher discovers due Work and reads no table
   * @param runtime accepts, runs and cancels Work
   * @param operator decides about suspended Work and changes scopes
   * @param retention removes what is old; empty where nothing is removed
   * @throws DurableException DUR100 when a name is empty or too long, or stands twice
   */
  public RoleNames {
    List<String> all =
        Stream.concat(Stream.of(owner, dispatcher, runtime, operator), retention.stream()).toList();
    if (all.stream().anyMatch(name -> name.isEmpty() || name.length() > LONGEST)) {
      throw new DurableException(
          Problem.INVALID_REQUEST, "a role name is empty or longer than 63 characters");
    }
    if (Set.copyOf(all).size() < all.size()) {
      throw new DurableException(
          Problem.INVALID_REQUEST, "the same role twice; the roles must differ");
    }
  }

  /**
   * Returns the names without a retention role.
   *
   * @param owner owns the schema and is the only one with DDL; need not be able to log in
   * @param dispatcher discovers due Work and reads no table
   * @param runtime accepts, runs and cancels Work
   * @param operator decides about suspended Work and changes scopes
   */
  public RoleNames(String owner, String dispatcher, String runtime, String operator) {
    this(owner, dispatcher, runtime, operator, Optional.empty());
  }

  /**
   * {@return the same names with a retention role}
   *
   * @param role its role
   */
  public RoleNames withRetention(String role) {
    return new RoleNames(owner, dispatcher, runtime, operator, Optional.of(role));
  }
}
