package dev.handofffence.runtime;

import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import java.util.List;
import java.util.Set;

/**
 * The four roles of a store, which the host has created; all different.
 *
 * @param owner owns the schema and is the only one with DDL; need not be able to log in
 * @param dispatcher discovers due Work and reads no table
 * @param runtime accepts and runs Work
 * @param operator decides about suspended Work and changes scopes
 */
public record RoleNames(String owner, String dispatcher, String runtime, String operator) {

  /** PostgreSQL cuts longer names off. */
  private static final int LONGEST = 63;

  public RoleNames {
    List<String> all = List.of(owner, dispatcher, runtime, operator);
    if (all.stream().anyMatch(name -> name.isEmpty() || name.length() > LONGEST)) {
      throw new DurableException(
          Problem.INVALID_REQUEST, "a role name is empty or longer than 63 characters");
    }
    if (Set.copyOf(all).size() < all.size()) {
      throw new DurableException(
          Problem.INVALID_REQUEST, "the same role twice; the four roles must differ");
    }
  }
}
