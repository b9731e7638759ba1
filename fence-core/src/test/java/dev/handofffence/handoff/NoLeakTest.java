package dev.handofffence.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.handofffence.CancellationSource;
import dev.handofffence.CancellationToken;
import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import dev.handofffence.fixture.CapturedLog;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.PermittedWork.Row;
import dev.handofffence.fixture.Rival;
import dev.handofffence.internal.handoff.Endpoint;
import dev.handofffence.internal.handoff.FenceSettings;
import dev.handofffence.internal.handoff.Invocation;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the fence says can be shown and logged as it is: no identifier, connection, SQL or text of
 * the server. The server's own exception stays reachable as the cause, for those who may see it.
 */
class NoLeakTest extends HandoffScene {

  /** Every kind of exception that the fence makes itself. */
  enum Failing {
    ENTRY_TIMES_OUT(DataAccessException.class) {
      @Override
      void call(NoLeakTest test) throws Exception {
        test.caller.execute("SET lock_timeout = '5ms'");
        try (Rival rival = Rival.open(test.database)) {
          rival.hold(test.work, EnumSet.allOf(Row.class));
          test.handWithoutReachingTheCallback();
        }
      }
    },
    GRANT_IS_MISSING(DataAccessException.class) {
      @Override
      void call(NoLeakTest test) throws Exception {
        test.database.execute("REVOKE SELECT ON durable.permit FROM " + DurableDatabase.RUNTIME);
        try {
          test.handWithoutReachingTheCallback();
        } finally {
          test.database.execute("GRANT SELECT ON durable.permit TO " + DurableDatabase.RUNTIME);
        }
      }
    },
    BACKEND_IS_KILLED(DataAccessException.class) {
      @Override
      void call(NoLeakTest test) throws Exception {
        test.hand((tx, token) -> test.kill(test.caller.backend()));
      }
    },
    ISOLATION_IS_WRONG(DurableException.class) {
      @Override
      void call(NoLeakTest test) throws Exception {
        test.caller.execute("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE");
        test.handWithoutReachingTheCallback();
      }
    },
    ENDPOINT_IS_WRONG(DurableException.class) {
      @Override
      void call(NoLeakTest test) throws Exception {
        Set<Endpoint> elsewhere = Set.of(new Endpoint("db.example.org", 5432, "orders"));
        Invocation invocation =
            test.work.invocation(test.database.store(), FenceSettings.of(elsewhere));
        invocation.run(() -> test.prepare(invocation.fence()));
      }
    },
    ERROR_IS_SWALLOWED(HandoffViolationException.class) {
      @Override
      void call(NoLeakTest test) throws Exception {
        test.hand((tx, token) -> catchThrowable(() -> execute(tx, "SELECT 1/0")) != null);
      }
    },
    SCOPE_IS_CHANGED(HandoffViolationException.class) {
      @Override
      void call(NoLeakTest test) throws Exception {
        test.hand((tx, token) -> execute(tx, "SET durable.scope_id = 'secret'"));
      }
    },
    TRANSACTION_IS_ENDED(HandoffCleanupException.class) {
      @Override
      void call(NoLeakTest test) throws Exception {
        test.hand((tx, token) -> execute(tx, "COMMIT"));
      }
    },
    SAVEPOINT_IS_GONE(HandoffCleanupException.class) {
      @Override
      void call(NoLeakTest test) throws Exception {
        test.hand((tx, token) -> execute(tx, "RELEASE SAVEPOINT durable_op"));
      }
    },
    CLEANUP_OF_A_THROW_FAILS(IOException.class) {
      @Override
      void call(NoLeakTest test) throws Exception {
        test.hand(
            (tx, token) -> {
              execute(tx, "COMMIT");
              throw new IOException("the callback's own");
            });
      }
    },
    TOKEN_IS_CANCELLED(CancellationException.class) {
      @Override
      void call(NoLeakTest test) throws Exception {
        CancellationSource source = new CancellationSource();
        test.hand(
            (tx, token) -> {
              source.cancel();
              return execute(tx, "SELECT 1/0");
            },
            source.token());
      }
    };

    private final Class<? extends Exception> type;

    Failing(Class<? extends Exception> type) {
      this.type = type;
    }

    abstract void call(NoLeakTest test) throws Exception;
  }

  @ParameterizedTest
  @EnumSource
  void message_isAFixedText(Failing failing) {
    Throwable thrown = catchThrowable(() -> failing.call(this));

    assertThat(thrown).isInstanceOf(failing.type);
    assertNothingLeaks(thrown.toString());
    for (Throwable suppressed : thrown.getSuppressed()) {
      if (!(suppressed instanceof SQLException)) {
        assertNothingLeaks(suppressed.toString());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void problem_isAFixedText(Problem problem) {
    assertNothingLeaks(new DurableException(problem).toString());
    assertNothingLeaks(problem.problem() + problem.cause() + problem.fix() + problem.docs());
  }

  @Test
  void logLine_isAFixedText() throws Exception {
    caller.execute("SET synchronous_commit = off");
    Invocation invocation = work.invocation(database.store(), FenceSettings.anyEndpoint());
    try (CapturedLog log = CapturedLog.start()) {
      invocation.run(
          () -> {
            for (int call = 0; call < 31; call++) {
              prepare(invocation.fence());
            }
            return true;
          });
      assertThat(log.text()).contains("synchronous_commit off").contains("More than 30 handoffs");
      assertNothingLeaks(log.text());
    }
  }

  private boolean prepare(HandoffFence fence) {
    return fence
        .execute(caller.connection(), (tx, token) -> true, CancellationToken.none())
        .isSuccess();
  }

  private void assertNothingLeaks(String said) {
    assertThat(said)
        .doesNotContain(
            work.scopeId(),
            work.claim().workId().toString(),
            work.claim().leaseOwner().toString(),
            work.claim().epoch().toString(),
            database.store().storeId().toString(),
            database.name(),
            database.jdbcUrl(),
            "localhost",
            "db.example.org",
            DurableDatabase.RUNTIME,
            DurableDatabase.PASSWORD,
            "secret")
        .doesNotContainPattern("SELECT |UPDATE |SAVEPOINT|durable\\.(work|dispatch|permit|store)")
        .doesNotContainPattern("ERROR:|FATAL:|permission denied|division by zero|canceling");
  }

  private boolean kill(int backend) {
    return database.ask("SELECT pg_terminate_backend(" + backend + ", 10000)").equals("t");
  }

  private static boolean execute(Connection transaction, String sql) throws SQLException {
    try (var statement = transaction.createStatement()) {
      statement.execute(sql);
      return true;
    }
  }
}
