/** What the library demands of a store before it does anything in it. */
@NullMarked
package dev.handofffence.internal.store;

import org.jspecify.annotations.NullMarked;
