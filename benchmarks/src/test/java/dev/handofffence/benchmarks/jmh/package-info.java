@NullMarked
package dev.handofffence.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
