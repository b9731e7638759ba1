package dev.handofffence.consumer;

import java.sql.SQLException;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.callback.BaseCallback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;

/** Makes every connection of Flyway act as one role, so that the role owns what is created. */
public final class ActAsRole extends BaseCallback {

  private final String role;

  public ActAsRole(String role) {
    this.role = role;
  }

  @Override
  public boolean supports(Event event, Context context) {
    return event == Event.AFTER_CONNECT;
  }

  @Override
  public void handle(Event event, Context context) {
    try (var statement = context.getConnection().createStatement()) {
      statement.execute("SET ROLE " + statement.enquoteIdentifier(role, true));
    } catch (SQLException e) {
      throw new FlywayException("Cannot act as the role " + role, e);
    }
  }
}
