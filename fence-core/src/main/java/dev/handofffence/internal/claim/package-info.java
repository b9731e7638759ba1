/** The identity of one attempt's ownership, and the facts it was prepared with. */
@NullMarked
package dev.handofffence.internal.claim;

import org.jspecify.annotations.NullMarked;
