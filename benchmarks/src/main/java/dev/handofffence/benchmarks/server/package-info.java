/** The server under measurement, and what it spends. */
@NullMarked
package dev.handofffence.benchmarks.server;

import org.jspecify.annotations.NullMarked;
