package dev.handofffence.testing;

import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Says which answer belongs to which request of one connection: the nth ReadyForQuery ends the
 * answer to the nth request. The log-in counts as the first.
 */
final class WireTrips {

  private record Withheld(long trip, WireFault fault) {}

  private final Queue<Withheld> withheld = new ConcurrentLinkedQueue<>();
  private long request = 1; // of the frontend's thread
  private long answer; // of the backend's thread

  /** Keeps the answer to the current request from the client; called before it is sent. */
  void withholdAnswer(WireFault fault) {
    withheld.add(new Withheld(request, fault));
  }

  void requestEnded() {
    request++;
  }

  boolean isAnswerWithheld() {
    return current() != null;
  }

  /** Takes the next fault that the current answer is withheld for. */
  Optional<WireFault> takeFault() {
    Optional<WireFault> fault = Optional.ofNullable(current()).map(Withheld::fault);
    if (fault.isPresent()) {
      withheld.remove();
    }
    return fault;
  }

  void answerEnded() {
    answer++;
  }

  private @Nullable Withheld current() {
    Withheld next = withheld.peek();
    return next != null && next.trip == answer ? next : null;
  }
}
