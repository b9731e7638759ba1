/** What is measured: the same jobs, accepted and drained by different libraries. */
@NullMarked
package dev.handofffence.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
