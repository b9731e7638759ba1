@NullMarked
package dev.handofffence.benchmarks.report;

import org.jspecify.annotations.NullMarked;
