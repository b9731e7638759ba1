@NullMarked
package dev.handofffence.benchmarks.server;

import org.jspecify.annotations.NullMarked;
