@NullMarked
package dev.handofffence.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
