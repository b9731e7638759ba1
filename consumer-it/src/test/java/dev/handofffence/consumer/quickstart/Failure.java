package dev.handofffence.consumer.quickstart;

/** Says in a few lines why the quickstart did not get through. */
final class Failure {

  private Failure() {}

  /** Returns the messages from the failure down to its cause, each once. */
  static String describe(Throwable failure) {
    StringBuilder text = new StringBuilder("The quickstart failed.");
    String last = "";
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String message = String.valueOf(cause.getMessage()).strip();
      if (!last.contains(message)) {
        text.append("\n  ").append(message.replace("\n", "\n  "));
      }
      last = message;
    }
    return text.toString();
  }
}
