/**
 * Every contender runs in a process of its own, which stays warm for the whole run: so its CPU is
 * its own, and one library's threads and garbage do not slow down the next.
 */
@NullMarked
package dev.handofffence.benchmarks.process;

import org.jspecify.annotations.NullMarked;
