package dev.handofffence.internal.work;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.handofffence.OperationResult;
import dev.handofffence.internal.sql.NewWork;
import dev.handofffence.work.AcceptedWork;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jooq.exception.DataAccessException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets requests that come at the same time share a transaction: a trip for ten costs little more
 * than a trip for one. Thread-safe, and starts no thread.
 *
 * <p>Who finds no trip underway goes at once and alone. The others queue, and when the trip has
 * come back the first of them leads all into the next. A crowd does not wait for that, and nobody
 * waits for long: a trip that does not come back holds up no more than those who are in it. What
 * goes wrong with a shared trip is nobody's answer: each of its requests is then sent alone.
 */
final class SharedAcceptance {

  private static final Logger LOG = LoggerFactory.getLogger(SharedAcceptance.class);

  /** So many do not wait for the trips underway, unless there are many of those as well. */
  private static final int CROWD = 16;

  private static final int MOST_TRIPS = 8;

  private static final int MOST_REQUESTS = 100;

  private static final String LOCK_NOT_AVAILABLE = "55P03";

  private final Function<List<NewWork>, List<OperationResult<AcceptedWork>>> together;
  private final Function<NewWork, OperationResult<AcceptedWork>> alone;

  private final long patienceNanos;

  private final ReentrantLock lock = new ReentrantLock();
  private final Queue<Member> waiting = new ArrayDeque<>();
  private int underway;
  private long lastBegunNanos;

  /**
   * Keeps the ways to send.
   *
   * @param together sends requests in one transaction that waits for no lock for long, and answers
   *     in their order
   * @param alone sends one in a transaction of its own
   * @param patience how long a request waits for others' trips before it goes alone
   */
  SharedAcceptance(
      Function<List<NewWork>, List<OperationResult<AcceptedWork>>> together,
      Function<NewWork, OperationResult<AcceptedWork>> alone,
      Duration patience) {
    this.together = together;
    this.alone = alone;
    this.patienceNanos = patience.toNanos();
  }

  OperationResult<AcceptedWork> accept(NewWork work) {
    Member member = new Member(work);
    Turn turn = turn(member);
    if (turn instanceof Turn.Lead) {
      return lead(gathered(member));
    } else if (turn instanceof Turn.Answered answered) {
      return answered.result();
    }
    return alone.apply(work);
  }

  private Turn turn(Member member) {
    lock.lock();
    try {
      if (goesAtOnce()) {
        underway++;
        return new Turn.Lead();
      }
      waiting.add(member);
    } finally {
      lock.unlock();
    }
    return awaited(member);
  }

  private boolean goesAtOnce() {
    return underway == 0 || (underway < MOST_TRIPS && (waiting.size() >= CROWD || isOverdue()));
  }

  private boolean isOverdue() {
    return System.nanoTime() - lastBegunNanos > patienceNanos;
  }

  /** Not to be interrupted, as the database's answer is not. */
  private Turn awaited(Member member) {
    long deadline = System.nanoTime() + patienceNanos;
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return member.turn.get(deadline - System.nanoTime(), NANOSECONDS);
        } catch (TimeoutException e) {
          return left(member);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // turns are never completed with a failure
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private Turn left(Member member) {
    lock.lock();
    try {
      if (waiting.remove(member)) {
        return new Turn.Alone();
      }
    } finally {
      lock.unlock();
    }
    return member.turn.join(); // it is underway by now
  }

  /** As late as possible: those who were answered just now may have come again meanwhile. */
  private List<Member> gathered(Member leader) {
    List<Member> group = new ArrayList<>(List.of(leader));
    lock.lock();
    try {
      lastBegunNanos = System.nanoTime();
      while (!waiting.isEmpty() && group.size() < MOST_REQUESTS) {
        group.add(waiting.remove());
      }
    } finally {
      lock.unlock();
    }
    return group;
  }

  /** The leader is the first of its group. */
  private OperationResult<AcceptedWork> lead(List<Member> group) {
    List<Turn> turns = Collections.nCopies(group.size(), new Turn.Alone());
    try {
      turns = sent(group);
    } catch (RuntimeException failure) {
      if (group.size() == 1 && !isLockTimeout(failure)) {
        throw failure; // nothing else would come of it
      }
      LOG.debug("{} requests go on one by one: a trip that they shared failed", group.size());
    } finally {
      tell(group, turns);
      wakeNext();
    }
    return turns.get(0) instanceof Turn.Answered answered
        ? answered.result()
        : alone.apply(group.get(0).work);
  }

  private static boolean isLockTimeout(RuntimeException failure) {
    return failure instanceof DataAccessException database
        && LOCK_NOT_AVAILABLE.equals(database.sqlState());
  }

  private List<Turn> sent(List<Member> group) {
    return together.apply(group.stream().map(member -> member.work).toList()).stream()
        .<Turn>map(Turn.Answered::new)
        .toList();
  }

  private static void tell(List<Member> group, List<Turn> turns) {
    for (int i = 1; i < group.size(); i++) {
      group.get(i).turn.complete(turns.get(i));
    }
  }

  private void wakeNext() {
    Member next;
    lock.lock();
    try {
      next = waiting.poll();
      if (next == null) {
        underway--;
      }
    } finally {
      lock.unlock();
    }
    if (next != null) {
      next.turn.complete(new Turn.Lead());
    }
  }

  private static final class Member {
    private final NewWork work;
    private final CompletableFuture<Turn> turn = new CompletableFuture<>();

    Member(NewWork work) {
      this.work = work;
    }
  }

  /** What a request is told that had to wait. */
  private sealed interface Turn {

    /** Send your own, and those that wait. */
    record Lead() implements Turn {}

    /** You were sent. */
    record Answered(OperationResult<AcceptedWork> result) implements Turn {}

    /** Go alone: the trip that you were in has failed, or none came. */
    record Alone() implements Turn {}
  }
}
