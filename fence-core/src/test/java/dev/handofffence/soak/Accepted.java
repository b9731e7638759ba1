package dev.handofffence.soak;

import dev.handofffence.ScopeId;
import dev.handofffence.WorkId;

/** A Work that the store has promised not to lose. */
record Accepted(ScopeId scope, WorkId work) {}
