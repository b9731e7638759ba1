/**
 * The durable Work protocol: acceptance, claim, permit, lease, completion, and the state machine
 * they share.
 */
@NullMarked
package dev.handofffence.internal.work;

import org.jspecify.annotations.NullMarked;
