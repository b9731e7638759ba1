/** The fence: one current database decision right before an effect. */
@NullMarked
package dev.handofffence.handoff;

import org.jspecify.annotations.NullMarked;
