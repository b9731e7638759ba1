/** Figures of a run, and what a reader sees of them. */
@NullMarked
package dev.handofffence.benchmarks.report;

import org.jspecify.annotations.NullMarked;
