package org.example.trespasser;

import dev.handofffence.work.WorkInvocation;

/** The control: the same project compiles as long as it keeps to the exported packages. */
final class UsesTheApi {

  Object fence(WorkInvocation invocation) {
    return invocation.handoffFence();
  }
}
