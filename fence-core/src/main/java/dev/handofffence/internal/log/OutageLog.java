package dev.handofffence.internal.log;

import java.time.Duration;
import org.slf4j.Logger;

/**
 * Warns of something that goes on failing: when it begins, once a minute meanwhile, soon when the
 * reason changes, and when it is over. Thread-safe.
 */
public final class OutageLog {

  private static final long CHANGE_NANOS = Duration.ofSeconds(5).toNanos();
  private static final long REPEAT_NANOS = Duration.ofMinutes(1).toNanos();

  private final Logger log;
  private final String subject;
  private boolean failing;
  private String warned = "";
  private long startedAt;
  private long warnedAt;
  private int failures;

  /**
   * Nothing is failing yet.
   *
   * @param subject what fails, as the beginning of a sentence, such as {@code "Renewing leases"}
   */
  public OutageLog(Logger log, String subject) {
    this.log = log;
    this.subject = subject;
  }

  /**
   * Takes note of a failure.
   *
   * @param why a fixed text, code or SQLSTATE; never the text of a server
   */
  public synchronized void failed(String why) {
    long now = System.nanoTime();
    if (!failing) {
      failing = true;
      startedAt = now;
      failures = 0;
    }
    failures++;
    if (failures == 1 || isWorthRepeating(why, now - warnedAt)) {
      log.warn("{} fails: {} (failure {})", subject, why, failures);
      warned = why;
      warnedAt = now;
    }
  }

  /** Takes note that it works. */
  public synchronized void succeeded() {
    if (failing) {
      Duration outage = Duration.ofNanos(System.nanoTime() - startedAt);
      log.info("{} works again after {} and {} failures", subject, outage, failures);
      failing = false;
    }
  }

  private boolean isWorthRepeating(String why, long sinceWarning) {
    return sinceWarning >= (why.equals(warned) ? REPEAT_NANOS : CHANGE_NANOS);
  }
}
