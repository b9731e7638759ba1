/** How the library warns without flooding a log. */
@NullMarked
package dev.handofffence.internal.log;

import org.jspecify.annotations.NullMarked;
