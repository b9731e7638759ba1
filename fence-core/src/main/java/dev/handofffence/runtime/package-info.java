/**
 * Running it: the runtime and its pump, the worker host, health, and the administration of a store.
 */
@NullMarked
package dev.handofffence.runtime;

import org.jspecify.annotations.NullMarked;
