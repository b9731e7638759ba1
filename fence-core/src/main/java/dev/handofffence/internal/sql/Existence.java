package dev.handofffence.internal.sql;

import org.jooq.Condition;
import org.jooq.Select;
import org.jooq.impl.DSL;

/**
 * Whether a query has rows, for every supported jOOQ: those methods of {@code DSL} take another
 * type since 3.20, and what was compiled with one does not link with the other.
 */
final class Existence {

  private Existence() {}

  static Condition exists(Select<?> query) {
    return DSL.condition("exists ({0})", query);
  }

  static Condition notExists(Select<?> query) {
    return DSL.condition("not exists ({0})", query);
  }
}
