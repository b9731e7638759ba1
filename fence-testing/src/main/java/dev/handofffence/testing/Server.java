package dev.handofffence.testing;

import java.util.Map;
import org.postgresql.ds.common.BaseDataSource;

/** A running PostgreSQL and how it was come by. */
interface Server extends AutoCloseable {

  /** Points the source to the server, as its superuser, and to any database of it. */
  void configure(BaseDataSource source);

  /** How it was come by: its kind, and the image where there is one. Nothing secret. */
  Map<String, String> facts();

  /** Whether the server is gone after {@link #close()}, with everything that was made in it. */
  boolean isThrownAway();

  @Override
  void close();
}
