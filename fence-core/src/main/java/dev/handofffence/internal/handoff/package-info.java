/** The fence itself, and the invocation that it speaks for. */
@NullMarked
package dev.handofffence.internal.handoff;

import org.jspecify.annotations.NullMarked;
