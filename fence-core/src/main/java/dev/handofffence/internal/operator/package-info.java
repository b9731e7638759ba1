/** What operators, and applications that cancel, do to accepted Work and to scopes. */
@NullMarked
package dev.handofffence.internal.operator;

import org.jspecify.annotations.NullMarked;
