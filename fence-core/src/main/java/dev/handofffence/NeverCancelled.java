package dev.handofffence;

/** The token that is never cancelled. */
enum NeverCancelled implements CancellationToken {
  INSTANCE;

  @Override
  public boolean isCancelled() {
    return false;
  }

  @Override
  public Registration onCancel(Runnable action) {
    return () -> {};
  }
}
