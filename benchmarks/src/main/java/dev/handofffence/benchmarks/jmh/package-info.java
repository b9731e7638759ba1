/** Single operations, measured by JMH in a process of their own. */
@NullMarked
package dev.handofffence.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
