/** What a deployer does to a store and asks about it. */
@NullMarked
package dev.handofffence.internal.administration;

import org.jspecify.annotations.NullMarked;
