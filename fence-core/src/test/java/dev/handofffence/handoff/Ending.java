package dev.handofffence.handoff;

import static dev.handofffence.fixture.ApplicationSchema.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.CancellationSource;
import dev.handofffence.CancellationToken;
import dev.handofffence.OperationResult;
import dev.handofffence.Problem;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.PermittedWork;
import dev.handofffence.fixture.PermittedWork.Row;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CancellationException;
import org.jooq.exception.DataAccessException;

/**
 * Every way in which a call ends and leaves the caller a usable transaction (protocol section 6).
 * Each callback that runs has written the operation into the ledger.
 */
enum Ending {
  PREPARED {
    @Override
    void reach(DurableDatabase database, PermittedWork work, Connection tx, String operation)
        throws Exception {
      assertThat(hand(work, tx, t -> record(t, operation)))
          .matches(result -> result.orElseThrow().handoffPrepared());
    }
  },

  DECLINED {
    @Override
    void reach(DurableDatabase database, PermittedWork work, Connection tx, String operation)
        throws Exception {
      assertThat(hand(work, tx, t -> !record(t, operation)))
          .matches(result -> !result.orElseThrow().handoffPrepared());
    }
  },

  REFUSED {
    @Override
    void reach(DurableDatabase database, PermittedWork work, Connection tx, String operation)
        throws Exception {
      work.update(Row.WORK, "lease_generation = 2");
      assertThat(hand(work, tx, t -> record(t, operation)))
          .isEqualTo(OperationResult.failure(Problem.CLAIM_LOST));
    }
  },

  REFUSED_LATE {
    @Override
    void reach(DurableDatabase database, PermittedWork work, Connection tx, String operation)
        throws Exception {
      Step expireLease =
          t -> {
            work.update(Row.DISPATCH, "lease_expires_at = clock_timestamp()");
            return record(t, operation);
          };
      assertThat(hand(work, tx, expireLease))
          .isEqualTo(OperationResult.failure(Problem.LEASE_EXPIRED));
    }
  },

  THREW {
    @Override
    void reach(DurableDatabase database, PermittedWork work, Connection tx, String operation) {
      Step giveUp =
          t -> {
            record(t, operation);
            throw new IOException("gave up");
          };
      assertThatThrownBy(() -> hand(work, tx, giveUp)).isExactlyInstanceOf(IOException.class);
    }
  },

  CANCELLED {
    @Override
    void reach(DurableDatabase database, PermittedWork work, Connection tx, String operation) {
      CancellationSource source = new CancellationSource();
      ConnectionHandoffCallback<SQLException> cancel =
          (t, token) -> {
            source.cancel();
            return record(t, operation);
          };
      assertThatThrownBy(() -> work.handOff(tx, cancel, source.token()))
          .isExactlyInstanceOf(CancellationException.class);
    }
  },

  SWALLOWED_AN_ERROR {
    @Override
    void reach(DurableDatabase database, PermittedWork work, Connection tx, String operation) {
      Step swallow =
          t -> {
            record(t, operation);
            assertThatThrownBy(() -> execute(t, "SELECT 1/0")).isInstanceOf(SQLException.class);
            return true;
          };
      assertThatThrownBy(() -> hand(work, tx, swallow))
          .isExactlyInstanceOf(HandoffViolationException.class);
    }
  },

  CHANGED_THE_SCOPE {
    @Override
    void reach(DurableDatabase database, PermittedWork work, Connection tx, String operation) {
      assertViolation(work, tx, operation, "SET LOCAL durable.scope_id = 'changed'");
    }
  },

  CHANGED_THE_SCOPE_OF_THE_SESSION {
    @Override
    void reach(DurableDatabase database, PermittedWork work, Connection tx, String operation) {
      assertViolation(work, tx, operation, "SET durable.scope_id = 'changed'");
    }
  },

  FAILED_IN_THE_FENCE {
    @Override
    void reach(DurableDatabase database, PermittedWork work, Connection tx, String operation)
        throws Exception {
      execute(tx, "SET LOCAL lock_timeout = '5ms'");
      try (CallerSession other = CallerSession.open(database.superuser())) {
        other.execute("SELECT 1 FROM durable.work WHERE " + work.key() + " FOR UPDATE");
        assertThatThrownBy(() -> hand(work, tx, t -> record(t, operation)))
            .isInstanceOfSatisfying(
                DataAccessException.class, e -> assertThat(e.sqlState()).isEqualTo("55P03"));
      }
      execute(tx, "SET LOCAL lock_timeout = '3s'");
    }
  };

  /** A callback that needs no token. */
  private interface Step {
    boolean run(Connection transaction) throws Exception;
  }

  /** Makes one call for the Work end in this way. */
  abstract void reach(DurableDatabase database, PermittedWork work, Connection tx, String operation)
      throws Exception;

  /** Whether the callback's writes stay in the transaction. */
  boolean keepsWrites() {
    return this == PREPARED;
  }

  private static OperationResult<HandoffResult> hand(PermittedWork work, Connection tx, Step step)
      throws Exception {
    return work.handOff(
        tx, (transaction, token) -> step.run(transaction), CancellationToken.none());
  }

  private static void assertViolation(
      PermittedWork work, Connection tx, String operation, String sql) {
    Step violate =
        t -> {
          execute(t, sql);
          return record(t, operation);
        };
    assertThatThrownBy(() -> hand(work, tx, violate))
        .isExactlyInstanceOf(HandoffViolationException.class);
  }

  private static void execute(Connection transaction, String sql) throws SQLException {
    try (var statement = transaction.createStatement()) {
      statement.execute(sql);
    }
  }
}
