package dev.handofffence.internal.sql;

import dev.handofffence.internal.store.StoreRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The round trips of store administration, each on an autocommit connection. */
public final class AdministrationTrips {

  private AdministrationTrips() {}

  /** Returns the store row; null when there is none. */
  public static @Nullable StoreRow store(Connection connection) throws SQLException {
    return StoreSql.store(ask(connection, StoreSql.READ_STORE));
  }

  /** Returns all columns of the schema, as {@code table.column}. */
  public static Set<String> columns(Connection connection) throws SQLException {
    return new HashSet<>(
        ask(connection, CatalogSql.COLUMNS)
            .map(row -> row.get(CatalogSql.OBJECT) + "." + row.get(CatalogSql.COLUMN)));
  }

  /** Returns which protections of which tables are gone, one text each. */
  public static List<String> protectionsTakenAway(Connection connection) throws SQLException {
    return ask(connection, CatalogSql.TAKEN_AWAY)
        .map(row -> row.get(CatalogSql.OBJECT) + ": " + row.get(CatalogSql.NOTE));
  }

  /** Returns what the session's role is and may do. */
  public static RoleFacts role(Connection connection) throws SQLException {
    return new RoleFacts(
        ask(connection, RoleSql.POWERS)
            .map(row -> row.get(CatalogSql.OBJECT) + " is " + row.get(CatalogSql.PRIVILEGE)),
        ask(connection, RoleSql.MEMBERSHIPS).map(row -> row.get(CatalogSql.OBJECT)),
        ask(connection, RoleSql.OWNED).map(row -> row.get(CatalogSql.OBJECT)),
        ask(connection, RoleSql.CREATES).map(row -> "schema " + row.get(CatalogSql.OBJECT)),
        grants(ask(connection, RoleSql.GRANTS)));
  }

  /** Returns the privileges in the schema that somebody else than its owner has. */
  public static Set<Grant> given(Connection connection) throws SQLException {
    return grants(ask(connection, CatalogSql.GIVEN));
  }

  private static Set<Grant> grants(Rows rows) {
    return new HashSet<>(
        rows.map(
            row ->
                new Grant(
                    row.get(CatalogSql.PRIVILEGE),
                    row.get(CatalogSql.OBJECT),
                    row.get(CatalogSql.COLUMN))));
  }

  /** Returns the attributes such as SUPERUSER that the session's role has, without its name. */
  public static Set<String> powers(Connection connection) throws SQLException {
    return new TreeSet<>(ask(connection, RoleSql.POWERS).map(row -> row.get(CatalogSql.PRIVILEGE)));
  }

  /** Returns the settings that the host owns. */
  public static List<HostSetting> hostSettings(Connection connection) throws SQLException {
    return ask(connection, HostSettingsSql.READ)
        .map(
            row ->
                new HostSetting(
                    row.get(HostSettingsSql.NAME),
                    row.get(HostSettingsSql.VALUE),
                    row.get(HostSettingsSql.SOURCE)));
  }

  private static Rows ask(Connection connection, Statement question) throws SQLException {
    return new RoundTrip().add(Script.of(question), new Binds()).send(connection, null).get(0);
  }
}
