/** Every SQL statement of the library, one small class per concern, and the way they are sent. */
@NullMarked
package dev.handofffence.internal.sql;

import org.jspecify.annotations.NullMarked;
