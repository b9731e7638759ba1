package org.example.trespasser;

/** On the class path no module guards anything; what is not public stays so. */
final class MakesAFence {

  Object fence() {
    return new dev.handofffence.internal.handoff.InvocationFence(null);
  }
}
