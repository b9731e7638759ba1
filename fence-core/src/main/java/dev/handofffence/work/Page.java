package dev.handofffence.work;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Part of a list.
 *
 * @param items in order; may be fewer than asked for, even none, when much had to be looked through
 * @param next what to ask for next; empty at the end
 * @param <T> type of the items
 * @param <C> type of the position
 */
public record Page<T, C>(List<T> items, Optional<C> next) {

  /** The most items of one page. */
  public static final int MAX_ITEMS = 1_000;

  /**
   * Checks the values.
   *
   * @param items in order; may be fewer than asked for, even none, when much had to be looked
   *     through
   * @param next what to ask for next; empty at the end
   */
  public Page {
    items = List.copyOf(items);
    Objects.requireNonNull(next, "next");
  }
}
