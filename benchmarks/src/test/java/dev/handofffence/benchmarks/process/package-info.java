@NullMarked
package dev.handofffence.benchmarks.process;

import org.jspecify.annotations.NullMarked;
