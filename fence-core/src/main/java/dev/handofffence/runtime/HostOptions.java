package dev.handofffence.runtime;

import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import java.time.Duration;

/**
 * How a worker host runs.
 *
 * @param displayName what operators see, 1 to 200 characters; the process id unless set
 * @param fastestPoll pause after the first pass that found nothing, doubled with each further one:
 *     1 ms to an hour; 20 ms unless set
 * @param slowestPoll longest pause between passes, at most an hour; 2 s unless set
 * @param listens whether notifications of acceptance cut pauses short; true unless set. Needs
 *     sessions, so no pooler in transaction mode
 * @param heartbeat how often the host reports to the store: 100 ms to 5 minutes; 5 s unless set.
 *     Who missed four reports counts as dead
 * @param staleAfter when a host that does not get on is reported as stale: up to a day; 60 s unless
 *     set
 * @param drainTimeout how long {@link WorkerHost#close()} lets attempts end by themselves, up to a
 *     day; 30 s unless set
 * @param stopTimeout how long they then have after their tokens were fired, up to a day; 10 s
 *     unless set
 */
public record HostOptions(
    String displayName,
    Duration fastestPoll,
    Duration slowestPoll,
    boolean listens,
    Duration heartbeat,
    Duration staleAfter,
    Duration drainTimeout,
    Duration stopTimeout) {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);

  /**
   * Checks the values.
   *
   * @param displayName what operators see, 1 to 200 characters; the process id unless set
   * @param fastestPoll pause after the first pass that found nothing, doubled with each further
   *     one: 1 ms to an hour; 20 ms unless set
   * @param slowestPoll longest pause between passes, at most an hour; 2 s unless set
   * @param listens whether notifications of acceptance cut pauses short; true unless set. Needs
   *     sessions, so no pooler in transaction mode
   * @param heartbeat how often the host reports to the store: 100 ms to 5 minutes; 5 s unless set.
   *     Who missed four reports counts as dead
   * @param staleAfter when a host that does not get on is reported as stale: up to a day; 60 s
   *     unless set
   * @param drainTimeout how long {@link WorkerHost#close()} lets attempts end by themselves, up to
   *     a day; 30 s unless set
   * @param stopTimeout how long they then have after their tokens were fired, up to a day; 10 s
   *     unless set
   * @throws dev.handofffence.DurableException DUR100 when one is out of its range
   */
  public HostOptions {
    if (displayName.isEmpty() || displayName.length() > 200) {
      throw invalid(
          "displayName has " + displayName.length() + " characters; allowed are 1 to 200");
    }
    requireRange("fastestPoll", fastestPoll, Duration.ofMillis(1), HOUR);
    requireRange("slowestPoll", slowestPoll, fastestPoll, HOUR);
    requireRange("heartbeat", heartbeat, Duration.ofMillis(100), Duration.ofMinutes(5));
    requireRange("staleAfter", staleAfter, Duration.ofMillis(100), DAY);
    requireRange("drainTimeout", drainTimeout, Duration.ZERO, DAY);
    requireRange("stopTimeout", stopTimeout, Duration.ZERO, DAY);
  }

  /** {@return the options that hold unless others are set} */
  public static HostOptions standard() {
    return builder().build();
  }

  /** {@return a builder that begins with the standard options} */
  public static Builder builder() {
    return new Builder();
  }

  private static void requireRange(String name, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw invalid(name + " is " + value + "; allowed are " + least + " to " + most);
    }
  }

  private static DurableException invalid(String observed) {
    return new DurableException(Problem.INVALID_REQUEST, observed);
  }

  /** Collects options. Not thread-safe. */
  public static final class Builder {

    private String displayName = "process " + ProcessHandle.current().pid();
    private Duration fastestPoll = Duration.ofMillis(20);
    private Duration slowestPoll = Duration.ofSeconds(2);
    private boolean listens = true;
    private Duration heartbeat = Duration.ofSeconds(5);
    private Duration staleAfter = Duration.ofSeconds(60);
    private Duration drainTimeout = Duration.ofSeconds(30);
    private Duration stopTimeout = Duration.ofSeconds(10);

    private Builder() {}

    /**
     * Sets what operators see.
     *
     * @param name 1 to 200 characters
     * @return this builder
     */
    public Builder displayName(String name) {
      this.displayName = name;
      return this;
    }

    /**
     * Sets the shortest and the longest pause between passes that find nothing.
     *
     * @param fastest 1 ms to an hour
     * @param slowest the fastest at least, an hour at most
     * @return this builder
     */
    public Builder polling(Duration fastest, Duration slowest) {
      this.fastestPoll = fastest;
      this.slowestPoll = slowest;
      return this;
    }

    /**
     * Sets whether notifications of acceptance cut pauses short.
     *
     * @param value whether it listens
     * @return this builder
     */
    public Builder listens(boolean value) {
      this.listens = value;
      return this;
    }

    /**
     * Sets how often the host reports to the store.
     *
     * @param interval 100 ms to 5 minutes
     * @return this builder
     */
    public Builder heartbeat(Duration interval) {
      this.heartbeat = interval;
      return this;
    }

    /**
     * Sets when a host that does not get on is reported as stale.
     *
     * @param bound up to a day
     * @return this builder
     */
    public Builder staleAfter(Duration bound) {
      this.staleAfter = bound;
      return this;
    }

    /**
     * Sets how long closing lets attempts end by themselves.
     *
     * @param bound up to a day
     * @return this builder
     */
    public Builder drainTimeout(Duration bound) {
      this.drainTimeout = bound;
      return this;
    }

    /**
     * Sets how long they then have after their tokens were fired.
     *
     * @param bound up to a day
     * @return this builder
     */
    public Builder stopTimeout(Duration bound) {
      this.stopTimeout = bound;
      return this;
    }

    /**
     * {@return the options}
     *
     * @throws DurableException DUR100 when a value is out of its range
     */
    public HostOptions build() {
      return new HostOptions(
          displayName,
          fastestPoll,
          slowestPoll,
          listens,
          heartbeat,
          staleAfter,
          drainTimeout,
          stopTimeout);
    }
  }
}
