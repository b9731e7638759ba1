/** Rules about the code itself. */
@NullMarked
package dev.handofffence.architecture;

import org.jspecify.annotations.NullMarked;
