/** The runs, one command each. */
@NullMarked
package dev.handofffence.benchmarks.run;

import org.jspecify.annotations.NullMarked;
