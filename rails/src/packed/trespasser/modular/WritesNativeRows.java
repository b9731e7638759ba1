package org.example.trespasser;

import dev.handofffence.generated.tables.Permit;

/** The generated types are the library's own. */
final class WritesNativeRows {
  Permit table;
}
