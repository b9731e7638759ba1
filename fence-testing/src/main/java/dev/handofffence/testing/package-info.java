/** A PostgreSQL for tests. */
@NullMarked
package dev.handofffence.testing;

import org.jspecify.annotations.NullMarked;
