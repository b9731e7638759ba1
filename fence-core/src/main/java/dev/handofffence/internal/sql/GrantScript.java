package dev.handofffence.internal.sql;

import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** The script {@code db/roles/grant-roles.sql}, with the names of the roles as settings. */
public final class GrantScript {

  private static final String RESOURCE = "/durable/roles/grant-roles.sql";

  private GrantScript() {}

  /**
   * Runs it on an autocommit connection; it is one statement, so it does all or nothing.
   *
   * @param retention '' when there is none
   */
  public static void run(
      Connection connection,
      String owner,
      String dispatcher,
      String runtime,
      String operator,
      String retention)
      throws SQLException {
    Script script =
        Script.of(
            name("owner_role"),
            name("dispatcher_role"),
            name("runtime_role"),
            name("operator_role"),
            name("retention_role"),
            Statement.ofText(text()));
    Binds names =
        new Binds()
            .set("owner_role", owner)
            .set("dispatcher_role", dispatcher)
            .set("runtime_role", runtime)
            .set("operator_role", operator)
            .set("retention_role", retention);
    new RoundTrip().add(script, names).send(connection, null);
  }

  private static Statement name(String role) {
    return Statement.of(
        select(
            DSL.function(
                "set_config",
                SQLDataType.VARCHAR,
                inline("durable." + role),
                param(role, SQLDataType.VARCHAR),
                inline(true))));
  }

  private static String text() {
    try (InputStream script = GrantScript.class.getResourceAsStream(RESOURCE)) {
      if (script == null) {
        throw new IllegalStateException("The library is packed without " + RESOURCE);
      }
      return new String(script.readAllBytes(), StandardCharsets.UTF_8)
          .strip()
          .replaceFirst(";$", "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
