/** The native pump: one pass from discovery to completion, and what runs beside it. */
@NullMarked
package dev.handofffence.internal.pump;

import org.jspecify.annotations.NullMarked;
