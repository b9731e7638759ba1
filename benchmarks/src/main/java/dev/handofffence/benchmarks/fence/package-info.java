/** This library, through its public packages only. */
@NullMarked
package dev.handofffence.benchmarks.fence;

import org.jspecify.annotations.NullMarked;
