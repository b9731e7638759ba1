/** Small values that everything shares: results, problems, cancellation and identities. */
@NullMarked
package dev.handofffence;

import org.jspecify.annotations.NullMarked;
