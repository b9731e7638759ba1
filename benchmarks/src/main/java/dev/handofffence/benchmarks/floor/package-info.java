/** The least that a queue in PostgreSQL can do, in hand-written JDBC. */
@NullMarked
package dev.handofffence.benchmarks.floor;

import org.jspecify.annotations.NullMarked;
