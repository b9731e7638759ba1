/** The runtime: pump, worker host, health and the administration of the store. */
@NullMarked
package dev.handofffence.runtime;

import org.jspecify.annotations.NullMarked;
