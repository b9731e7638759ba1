package org.example.trespasser;

import dev.handofffence.internal.handoff.Invocation;

/** The binder: who had it could bring a fence to life without the pump. */
final class BindsAFence {
  Invocation live;
}
