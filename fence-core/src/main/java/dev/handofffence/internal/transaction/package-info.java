/** The only place where transactions of the library's own begin and end. */
@NullMarked
package dev.handofffence.internal.transaction;

import org.jspecify.annotations.NullMarked;
