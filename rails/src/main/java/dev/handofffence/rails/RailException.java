package dev.handofffence.rails;

/** A condition of a rail does not hold; the message is what the user reads, in one line. */
final class RailException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  RailException(String message) {
    super(message);
  }
}
