package dev.handofffence.internal.work;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.internal.sql.NewWork;
import dev.handofffence.work.AcceptedWork;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
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

  private final Function<List<NewWork>, List<Optional<OperationResult<AcceptedWork>>>> together;
  private final Function<NewWork, OperationResult<AcceptedWork>> alone;

  private final long patienceNanos;

  private final ReentrantLock lock = new ReentrantLock();
  private final Queue<Member> waiting = new ArrayDeque<>();
  private final List<Trip> underway = new ArrayList<>();

  /**
   * Keeps the ways to send.
   *
   * @param together sends requests in one transaction that waits for no lock for long, and answers
   *     in their order; empty is the answer of one that has to go alone
   * @param alone sends one in a transaction of its own
   * @param patience how long a request waits for others' trips before it goes alone
   */
  SharedAcceptance(
      Function<List<NewWork>, List<Optional<OperationResult<AcceptedWork>>>> together,
      Function<NewWork, OperationResult<AcceptedWork>> alone,
      Duration patience) {
    this.together = together;
    this.alone = alone;
    this.patienceNanos = patience.toNanos();
  }

  OperationResult<AcceptedWork> accept(NewWork work) {
    Member member = new Member(work);
    Turn turn = turn(member);
    return turn instanceof Turn.Lead lead ? lead(member, lead.trip()) : follow(member, turn);
  }

  private Turn turn(Member member) {
    lock.lock();
    try {
      if (goesAtOnce()) {
        return new Turn.Lead(begun());
      }
      waiting.add(member);
    } finally {
      lock.unlock();
    }
    return awaited(member);
  }

  private boolean goesAtOnce() {
    return underway.size() < MOST_TRIPS
        && (waiting.size() >= CROWD || underway.stream().allMatch(this::isOverdue));
  }

  /** Something is wrong with it: nobody waits for it any more. */
  private boolean isOverdue(Trip trip) {
    return System.nanoTime() - trip.begunNanos > patienceNanos;
  }

  private Trip begun() {
    Trip trip = new Trip();
    underway.add(trip);
    return trip;
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
  private void gather(List<Member> group, Trip trip) {
    lock.lock();
    try {
      trip.begunNanos = System.nanoTime();
      while (!waiting.isEmpty() && group.size() < MOST_REQUESTS) {
        group.add(waiting.remove());
      }
    } finally {
      lock.unlock();
    }
  }

  /** The leader is the first of its group. */
  private OperationResult<AcceptedWork> lead(Member leader, Trip trip) {
    List<Member> group = new ArrayList<>(List.of(leader));
    List<Turn> turns = List.of();
    try {
      gather(group, trip);
      turns = sent(group);
    } catch (RuntimeException failure) {
      if (group.size() == 1 && !isLockTimeout(failure)) {
        throw failure; // nothing else would come of it
      }
      LOG.debug("{} requests go on one by one: their trip failed", group.size(), failure);
      turns = Collections.nCopies(group.size(), afterwards(failure));
    } finally {
      end(trip, group, turns);
    }
    return follow(leader, turns.get(0));
  }

  /** Nobody is left waiting, whatever was thrown. */
  private void end(Trip trip, List<Member> group, List<Turn> turns) {
    try {
      Turn lost = new Turn.InDoubt(new IllegalStateException("A shared trip ended with an error"));
      for (int i = 1; i < group.size(); i++) {
        group.get(i).turn.complete(i < turns.size() ? turns.get(i) : lost);
      }
    } finally {
      wakeNext(trip);
    }
  }

  /** An error that the server reported has rolled everything back. */
  private static Turn afterwards(RuntimeException failure) {
    boolean rolledBack =
        failure instanceof DataAccessException database
            && database.sqlState().matches("(?!00000|08|57P).{5}");
    return rolledBack ? new Turn.Alone() : new Turn.InDoubt(failure);
  }

  /**
   * A request that may have been committed with its trip is found again by its id. If it is refused
   * instead, that says nothing about the trip, so the answer is the trip's failure.
   */
  private OperationResult<AcceptedWork> follow(Member member, Turn turn) {
    if (turn instanceof Turn.Answered answered) {
      return answered.result();
    }
    OperationResult<AcceptedWork> result = alone.apply(member.work);
    if (turn instanceof Turn.InDoubt inDoubt && !isCertain(result)) {
      throw inDoubt.failure();
    }
    return result;
  }

  private static boolean isCertain(OperationResult<AcceptedWork> result) {
    return !(result instanceof OperationResult.Failure<AcceptedWork> refusal)
        || refusal.problem() == Problem.COMMAND_CONFLICT;
  }

  private static boolean isLockTimeout(RuntimeException failure) {
    return failure instanceof DataAccessException database
        && LOCK_NOT_AVAILABLE.equals(database.sqlState());
  }

  private List<Turn> sent(List<Member> group) {
    return together.apply(group.stream().map(member -> member.work).toList()).stream()
        .map(result -> result.<Turn>map(Turn.Answered::new).orElseGet(Turn.Alone::new))
        .toList();
  }

  private void wakeNext(Trip ended) {
    Member next;
    Trip trip;
    lock.lock();
    try {
      underway.remove(ended);
      next = waiting.poll();
      if (next == null) {
        return;
      }
      trip = begun();
    } finally {
      lock.unlock();
    }
    next.turn.complete(new Turn.Lead(trip));
  }

  /** One that is underway. */
  private static final class Trip {
    private long begunNanos = System.nanoTime();
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
    record Lead(Trip trip) implements Turn {}

    /** You were sent. */
    record Answered(OperationResult<AcceptedWork> result) implements Turn {}

    /** Go alone: you were in no trip, or in one that wrote nothing of yours. */
    record Alone() implements Turn {}

    /** Go alone: nobody knows whether the trip that you were in has committed. */
    record InDoubt(RuntimeException failure) implements Turn {}
  }
}
