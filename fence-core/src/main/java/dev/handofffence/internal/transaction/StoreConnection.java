package dev.handofffence.internal.transaction;

import dev.handofffence.Problem;
import dev.handofffence.internal.store.UnusableStoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A connection that one thread of the pump keeps to itself, so that nobody else's use of the pool
 * can hold it up. Opened when first used, and replaced after a failure; refused, with DUR101, when
 * its isolation level is not READ COMMITTED or the driver cannot send several statements at once.
 * Not thread-safe.
 */
public final class StoreConnection implements AutoCloseable {

  /** Longer than any statement of the pump takes; a half-open socket would block for ever. */
  private static final Duration NETWORK_TIMEOUT = Duration.ofSeconds(20);

  private static final String CANNOT_CONNECT = "08001";

  private final DataSource source;
  private @Nullable Connection connection;
  private boolean wasAutoCommit;
  private int networkTimeout;

  public StoreConnection(DataSource source) {
    this.source = source;
  }

  /**
   * Runs statements that are sent in one round trip, as a transaction that the server begins and
   * commits within that trip.
   */
  public <T> T inOneTrip(SqlFunction<T> statements) throws SQLException {
    return run(statements, true);
  }

  /** Runs statements in a transaction, which is rolled back when they throw. */
  public <T> T inTransaction(SqlFunction<T> statements) throws SQLException {
    return run(
        c -> {
          T result = statements.apply(c);
          c.commit();
          return result;
        },
        false);
  }

  /** Gives the connection back. Idempotent; the next use opens another. */
  @Override
  public void close() {
    Connection open = connection;
    connection = null;
    if (open != null) {
      restoreAndClose(open);
    }
  }

  private <T> T run(SqlFunction<T> statements, boolean autoCommit) throws SQLException {
    Connection open = open();
    try {
      if (open.getAutoCommit() != autoCommit) {
        open.setAutoCommit(autoCommit);
      }
      return statements.apply(open);
    } catch (SQLException | RuntimeException | Error failure) {
      recover(open, failure);
      throw failure;
    }
  }

  private Connection open() throws SQLException {
    Connection open = connection;
    if (open == null) {
      open = requireUsable(connect());
      wasAutoCommit = open.getAutoCommit();
      networkTimeout = open.getNetworkTimeout();
      open.setNetworkTimeout(Runnable::run, Math.toIntExact(NETWORK_TIMEOUT.toMillis()));
      connection = open;
    }
    return open;
  }

  private static Connection requireUsable(Connection opened) throws SQLException {
    boolean isUsable = false;
    try {
      requireSupported(opened);
      isUsable = true;
    } finally {
      if (!isUsable) {
        opened.close();
      }
    }
    return opened;
  }

  private static void requireSupported(Connection opened) throws SQLException {
    Optional<String> unsupported = DriverModes.unsupported(opened);
    if (unsupported.isEmpty() && !IsolationLevel.isReadCommitted(opened)) {
      unsupported = Optional.of("the isolation level is not read committed");
    }
    if (unsupported.isPresent()) {
      throw new UnusableStoreException(Problem.TRANSACTION_REQUIRED, unsupported.get());
    }
  }

  /** Pools throw exceptions of their own, unchecked ones, when they cannot start. */
  private Connection connect() throws SQLException {
    try {
      return source.getConnection();
    } catch (RuntimeException e) {
      throw new SQLException("The data source gave no connection", CANNOT_CONNECT, e);
    }
  }

  /** A connection that cannot even be rolled back is replaced at the next use. */
  private void recover(Connection open, Throwable failure) {
    try {
      if (!open.getAutoCommit()) {
        open.rollback();
      }
      if (FailureKind.of(failure).lostConnection()) {
        close();
      }
    } catch (SQLException e) {
      failure.addSuppressed(e);
      close();
    }
  }

  private void restoreAndClose(Connection open) {
    try (open) {
      open.setAutoCommit(wasAutoCommit);
      open.setNetworkTimeout(Runnable::run, networkTimeout);
    } catch (SQLException e) {
      // A broken connection: closing it, which was tried, is all that can be done.
    }
  }
}
