package dev.handofffence.consumer.quickstart;

import dev.handofffence.consumer.RecordingProvider.Delivery;
import java.util.List;

/**
 * One run of the main job, as it is found in the database and at the provider afterwards.
 *
 * @param title what it shows
 * @param attempts the fence's answers; the last is the one that the story is about
 * @param committed rows of the application's ledger
 * @param received calls that the provider got
 * @param workState where the last accepted Work stands
 */
record Story(
    String title,
    List<Attempt> attempts,
    List<String> committed,
    List<Delivery> received,
    String workState) {

  Attempt lastAttempt() {
    return attempts.get(attempts.size() - 1);
  }

  /** Returns where the Work stands, in words: one that was turned away waits for another try. */
  String standing() {
    return workState.equals("ready")
        ? "ready (" + lastAttempt().verdict() + "; tried again later)"
        : workState;
  }
}
