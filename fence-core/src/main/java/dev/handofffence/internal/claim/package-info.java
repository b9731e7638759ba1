/** What a claim is made from and what it holds: the values that SQL and the Work protocol share. */
@NullMarked
package dev.handofffence.internal.claim;

import org.jspecify.annotations.NullMarked;
