package dev.handofffence.internal.work;

import dev.handofffence.OperationResult;
import dev.handofffence.internal.sql.NewWork;
import dev.handofffence.work.AcceptedWork;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jooq.exception.DataAccessException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets requests that come at the same time share a transaction: a trip for ten costs little more
 * than a trip for one. Thread-safe; starts no thread and makes nobody wait who could go.
 *
 * <p>Whoever finds fewer than {@link #TRIPS} trips underway goes at once and alone. The others
 * queue, and the first of them leads all into the next trip, as soon as one has come back. What
 * goes wrong with a shared trip is nobody's answer: each of its requests is then sent alone.
 */
final class SharedAcceptance {

  private static final Logger LOG = LoggerFactory.getLogger(SharedAcceptance.class);

  /** One is written while another commits. More would make groups smaller and dearer. */
  private static final int TRIPS = 2;

  private static final int MOST_REQUESTS = 100;

  private static final String LOCK_NOT_AVAILABLE = "55P03";

  private final Function<List<NewWork>, List<OperationResult<AcceptedWork>>> together;
  private final Function<NewWork, OperationResult<AcceptedWork>> alone;

  private final ReentrantLock lock = new ReentrantLock();
  private final Queue<Member> waiting = new ArrayDeque<>();
  private int underway;

  /**
   * Keeps the ways to send.
   *
   * @param together sends requests in one transaction that waits for no lock for long, and answers
   *     in their order
   * @param alone sends one in a transaction of its own
   */
  SharedAcceptance(
      Function<List<NewWork>, List<OperationResult<AcceptedWork>>> together,
      Function<NewWork, OperationResult<AcceptedWork>> alone) {
    this.together = together;
    this.alone = alone;
  }

  OperationResult<AcceptedWork> accept(NewWork work) {
    Turn turn = turn(new Member(work));
    if (turn instanceof Turn.Lead lead) {
      return lead(lead.group());
    } else if (turn instanceof Turn.Answered answered) {
      return answered.result();
    }
    return alone.apply(work);
  }

  private Turn turn(Member member) {
    lock.lock();
    try {
      if (underway < TRIPS) {
        underway++;
        return new Turn.Lead(List.of(member));
      }
      waiting.add(member);
    } finally {
      lock.unlock();
    }
    return member.turn.join(); // whoever leads a trip always ends it, and wakes the next
  }

  /** The leader is the first of its group. */
  private OperationResult<AcceptedWork> lead(List<Member> group) {
    List<Turn> turns = Collections.nCopies(group.size(), new Turn.Failed());
    try {
      turns = sent(group);
    } catch (RuntimeException failure) {
      if (group.size() == 1 && !isLockTimeout(failure)) {
        throw failure; // nothing else would come of it
      }
      LOG.debug("{} requests go on one by one: a trip that they shared failed", group.size());
    } finally {
      wakeNext();
      tell(group, turns);
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
    List<Member> next = new ArrayList<>();
    lock.lock();
    try {
      while (!waiting.isEmpty() && next.size() < MOST_REQUESTS) {
        next.add(waiting.remove());
      }
      if (next.isEmpty()) {
        underway--;
      }
    } finally {
      lock.unlock();
    }
    if (!next.isEmpty()) {
      next.get(0).turn.complete(new Turn.Lead(next));
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

    /** Send these, the first of which is your own. */
    record Lead(List<Member> group) implements Turn {}

    /** You were sent. */
    record Answered(OperationResult<AcceptedWork> result) implements Turn {}

    /** The trip that you were in has failed. */
    record Failed() implements Turn {}
  }
}
