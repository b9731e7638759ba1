/** The Java side of the columns whose type SQL cannot name: states, reasons and lengths of time. */
@NullMarked
package dev.handofffence.generated.type;

import org.jspecify.annotations.NullMarked;
