package dev.handofffence.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.fixture.Background;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.fixture.Waits;
import java.sql.Connection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What {@link HeldRows} builds on: PostgreSQL tells the place of the version that it locked. */
@Timeout(60)
class PlaceOfALockedRowTest {

  /** Its snapshot is older than its lock by as long as somebody else has the advisory lock. */
  private static final String LOCK_LATER =
      """
      SELECT row.at FROM (SELECT pg_advisory_xact_lock(1) OFFSET 0) AS gate,
        LATERAL (SELECT ctid AS at FROM public.place WHERE key = 1 AND length(gate::text) > 0
                 FOR NO KEY UPDATE SKIP LOCKED) AS row
      """;

  private final DurableDatabase database = DurableDatabase.create();

  @BeforeEach
  void create() {
    database.execute(
        "CREATE TABLE public.place (key integer PRIMARY KEY, value integer NOT NULL); INSERT INTO public.place VALUES (1, 0)");
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void rowThatWasUpdatedAfterTheSnapshot_isNamedWhereItIsLocked() throws Exception {
    String before = place();
    Background<String> locked;
    try (Connection gate = database.superuser().getConnection();
        var statement = gate.createStatement()) {
      statement.execute("SELECT pg_advisory_lock(1)");
      locked = Background.start(() -> database.ask(LOCK_LATER));
      Waits.untilWaiting(database, 1);
      database.execute("UPDATE public.place SET value = 1 WHERE key = 1");
      statement.execute("SELECT pg_advisory_unlock(1)");
    }

    assertThat(locked.result()).isEqualTo(place()).isNotEqualTo(before);
  }

  private String place() {
    return database.ask("SELECT ctid FROM public.place WHERE key = 1");
  }
}
