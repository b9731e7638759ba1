/**
 * Runs the build and its tests under other conditions, each as a rail, and writes down what was
 * seen: {@code mvn -q -pl rails -Drail=packed}.
 */
@NullMarked
package dev.handofffence.rails;

import org.jspecify.annotations.NullMarked;
