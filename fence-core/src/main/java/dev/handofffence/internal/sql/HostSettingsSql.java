package dev.handofffence.internal.sql;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.resultQuery;

import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/** The settings of a session that its host owns. */
final class HostSettingsSql {

  static final Field<String> NAME = field(name("name"), SQLDataType.VARCHAR);
  static final Field<String> VALUE = field(name("setting"), SQLDataType.VARCHAR);
  static final Field<String> SOURCE = field(name("source"), SQLDataType.VARCHAR);

  /** Times are in their base unit there, which is milliseconds for all of these. */
  static final Statement READ =
      Statement.ofRows(
          resultQuery(
                  """
                  select name, setting, source
                  from pg_catalog.pg_settings
                  where name in ('lock_timeout', 'statement_timeout',
                    'idle_in_transaction_session_timeout', 'synchronous_commit')
                  order by name
                  """)
              .coerce(NAME, VALUE, SOURCE));

  private HostSettingsSql() {}
}
