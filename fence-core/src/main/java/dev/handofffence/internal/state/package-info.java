/** The state machine of a Work, and the facts by which its transitions are judged. */
@NullMarked
package dev.handofffence.internal.state;

import org.jspecify.annotations.NullMarked;
