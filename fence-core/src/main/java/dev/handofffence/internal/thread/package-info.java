/** The only place where threads start. */
@NullMarked
package dev.handofffence.internal.thread;

import org.jspecify.annotations.NullMarked;
