package org.example.trespasser;

import dev.handofffence.internal.handoff.Invocation;

/** On the class path the binder can be named, and nothing of it can be made. */
final class BindsAFence {
  Object live() {
    return new Invocation(null, null, null);
  }
}
