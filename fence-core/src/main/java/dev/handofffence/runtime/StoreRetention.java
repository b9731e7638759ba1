package dev.handofffence.runtime;

import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import dev.handofffence.internal.operator.Retention;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * Removes Work that ended long ago, and later the memory of its commands, with the retention role,
 * which can do nothing else. Thread-safe.
 *
 * <p>Work that has not ended is never removed, however old. After a Work is removed its commands
 * are still answered as duplicates, with the original ids, until the identity window has passed.
 */
public final class StoreRetention {

  /** The most rows that one pass looks at. */
  public static final int MAX_ROWS = 1_000_000;

  private final Retention retention;

  private StoreRetention(DataSource source) {
    this.retention = new Retention(source);
  }

  /**
   * {@return the retention of a store} Opens nothing.
   *
   * @param retention connections of the retention role
   */
  public static StoreRetention of(DataSource retention) {
    return new StoreRetention(Objects.requireNonNull(retention, "retention"));
  }

  /**
   * Runs one bounded pass, in short transactions of a thousand rows each. What they removed stays
   * removed when a later one fails; a scope that is being disabled meanwhile has its turn in a pass
   * from the start.
   *
   * @param from {@link RetentionPosition#START}, or where another pass ended
   * @param maxRows how many rows to look at, 1 to {@link #MAX_ROWS}
   * @param policy what is kept for how long
   * @return what it removed, and where the next pass goes on
   * @throws DurableException DUR100 when maxRows is out of range; DUR103 when the database cannot
   *     be reached or loses the connection
   * @throws org.jooq.exception.DataAccessException any other error of the database
   */
  public RetentionResult run(RetentionPolicy policy, RetentionPosition from, int maxRows) {
    Objects.requireNonNull(policy, "policy");
    if (maxRows < 1 || maxRows > MAX_ROWS) {
      throw new DurableException(
          Problem.INVALID_REQUEST, "maxRows is " + maxRows + "; allowed are 1 to " + MAX_ROWS);
    }
    return retention.run(policy, from, maxRows);
  }
}
