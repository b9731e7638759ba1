package dev.handofffence.benchmarks.contender;

import java.util.List;

/**
 * A contender whose tables can be filled without running anything.
 *
 * <p>Each inserts into one table. They run as a superuser, without triggers and foreign keys, and
 * without indexes unless they look for conflicts. They use {@code {from}} and {@code {to}} for the
 * inclusive range of numbers to make rows of, and {@code {scopes}} for the number of tenants to
 * spread them over.
 */
public interface Seedable {

  /** Returns statements that insert jobs which have ended; none if they leave nothing. */
  List<String> finished();

  /** Returns statements that insert jobs which are due. */
  List<String> pending();
}
