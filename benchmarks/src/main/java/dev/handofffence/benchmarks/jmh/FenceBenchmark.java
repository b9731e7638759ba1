package dev.handofffence.benchmarks.jmh;

import dev.handofffence.CancellationToken;
import dev.handofffence.benchmarks.fence.LiveInvocation;
import dev.handofffence.benchmarks.server.Database;
import dev.handofffence.handoff.HandoffFence;
import dev.handofffence.testing.WireProxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One handoff with an empty callback, beside the same sequence by hand. What the driver allocates
 * is in both; the rollback afterwards, which frees the locks, is not in the time of either.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class FenceBenchmark {

  /** One way, in milliseconds; 0 goes without a proxy. */
  @Param({"0", "1"})
  public int delay;

  private @Nullable Opened opened;

  /** Binds a fence and opens the application's transaction. */
  @Setup(Level.Trial)
  public void open() throws Exception {
    opened = Opened.open(delay);
  }

  @TearDown(Level.Trial)
  public void close() throws Exception {
    required().close();
  }

  @TearDown(Level.Invocation)
  public void rollBack() throws SQLException {
    required().connection().rollback();
  }

  /** The library's. */
  @Benchmark
  public boolean fence() {
    Opened with = required();
    return with.fence()
        .execute(with.connection(), (same, token) -> true, CancellationToken.none())
        .isSuccess();
  }

  /** By hand. */
  @Benchmark
  public boolean handWritten() throws SQLException {
    if (!required().handWritten().execute()) {
      throw new IllegalStateException("The claim does not hold: nothing of worth was measured");
    }
    return true;
  }

  private Opened required() {
    if (opened == null) {
      throw new IllegalStateException("Not set up");
    }
    return opened;
  }

  private record Opened(
      LiveInvocation live,
      @Nullable WireProxy proxy,
      HandoffFence fence,
      Connection connection,
      HandWrittenFence handWritten) {

    static Opened open(int delay) throws Exception {
      Database database = TrialDatabase.read();
      LiveInvocation live = LiveInvocation.open(database);
      WireProxy proxy =
          delay == 0
              ? null
              : WireProxy.start(database.host(), database.port(), Duration.ofMillis(delay));
      Database application = LiveInvocation.forApplication(database);
      Connection connection =
          (proxy == null ? application : application.through(proxy.port()))
              .unpooled()
              .getConnection();
      connection.setAutoCommit(false);
      HandWrittenFence handWritten =
          HandWrittenFence.of(connection, database, live.work().workId().value());
      return new Opened(live, proxy, live.fence(), connection, handWritten);
    }

    void close() throws SQLException {
      handWritten.close();
      connection.close();
      if (proxy != null) {
        proxy.close();
      }
      live.close();
    }
  }
}
