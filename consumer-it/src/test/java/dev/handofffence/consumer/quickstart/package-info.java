/** The example of the README. */
@NullMarked
package dev.handofffence.consumer.quickstart;

import org.jspecify.annotations.NullMarked;
