/** A PostgreSQL for tests, and a proxy in front of it that counts, stops and cuts. */
@NullMarked
package dev.handofffence.testing;

import org.jspecify.annotations.NullMarked;
