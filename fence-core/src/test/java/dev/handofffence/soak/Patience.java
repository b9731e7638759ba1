package dev.handofffence.soak;

import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jooq.exception.DataAccessException;

/** Repeats what a restart of the server may interrupt. */
final class Patience {

  private static final long LONGEST_NANOS = Duration.ofMinutes(2).toNanos();
  private static final long LONG_NANOS = Duration.ofSeconds(5).toNanos();

  private Patience() {}

  /** Returns the first answer; an outage or a lost connection is not one. */
  static <T> T ask(Callable<T> question) {
    long askedAt = System.nanoTime();
    String heard = "nothing but the answer";
    while (true) {
      try {
        T answer = question.call();
        reportSlow(System.nanoTime() - askedAt, heard);
        return answer;
      } catch (Exception e) {
        if (!isOutage(e)) {
          throw unchecked(e);
        } else if (System.nanoTime() - askedAt > LONGEST_NANOS) {
          throw new AssertionError("An outage that does not end", e);
        }
        heard = e + " because of " + e.getCause();
      }
      pause(50);
    }
  }

  /** No failure, since the machine may be busy, but worth a look. */
  private static void reportSlow(long nanos, String heard) {
    if (nanos > LONG_NANOS) {
      String where =
          StackWalker.getInstance().walk(s -> s.skip(2).findFirst().orElseThrow()).toString();
      WorkSoak.report("%.1f s at %s; last heard: %s".formatted(nanos / 1e9, where, heard));
    }
  }

  static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static boolean isOutage(Exception e) {
    if (e instanceof DurableException refused) {
      return refused.problem() == Problem.STORE_UNAVAILABLE;
    }
    return e instanceof DataAccessException || isOfTheTestsOwnQuestion(e);
  }

  private static boolean isOfTheTestsOwnQuestion(Exception e) {
    return e instanceof IllegalStateException && e.getCause() instanceof SQLException;
  }

  private static RuntimeException unchecked(Exception e) {
    return e instanceof RuntimeException known ? known : new IllegalStateException(e);
  }
}
