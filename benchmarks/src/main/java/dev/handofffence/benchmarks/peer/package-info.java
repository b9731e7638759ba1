/** Other libraries, set up as their documentation tunes them. */
@NullMarked
package dev.handofffence.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
