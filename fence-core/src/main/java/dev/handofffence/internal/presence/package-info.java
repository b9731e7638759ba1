/** A worker's presence on its store: registration, heartbeat, requests to drain, wake-up calls. */
@NullMarked
package dev.handofffence.internal.presence;

import org.jspecify.annotations.NullMarked;
