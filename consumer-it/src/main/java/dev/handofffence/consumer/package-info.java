/** An application of the library. */
@NullMarked
package dev.handofffence.consumer;

import org.jspecify.annotations.NullMarked;
