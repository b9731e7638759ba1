package dev.handofffence.internal.sql;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.resultQuery;

import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/**
 * Questions to PostgreSQL's own catalogs, which every role may read. By name and never by {@code
 * regclass}, which fails where the schema is missing or not granted.
 */
final class CatalogSql {

  static final Field<String> OBJECT = field(name("object"), SQLDataType.VARCHAR);
  static final Field<String> COLUMN = field(name("column_name"), SQLDataType.VARCHAR);
  static final Field<String> PRIVILEGE = field(name("privilege"), SQLDataType.VARCHAR);
  static final Field<String> NOTE = field(name("note"), SQLDataType.VARCHAR);

  static final Statement COLUMNS =
      Statement.ofRows(
          resultQuery(
                  """
                  select c.relname as object, a.attname as column_name
                  from pg_catalog.pg_namespace n
                    join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relkind in ('r', 'p', 'v')
                    join pg_catalog.pg_attribute a
                      on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                  where n.nspname = 'durable'
                  """)
              .coerce(OBJECT, COLUMN));

  /** Protections that the migrations made and somebody has taken away. */
  static final Statement TAKEN_AWAY =
      Statement.ofRows(
          resultQuery(
                  """
                  select c.relname as object, 'row-level security is not forced' as note
                  from pg_catalog.pg_namespace n
                    join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relkind in ('r', 'p')
                  where n.nspname = 'durable'
                    and not (c.relrowsecurity and c.relforcerowsecurity)
                    and exists (select from pg_catalog.pg_attribute a
                                where a.attrelid = c.oid and a.attname = 'scope_id'
                                  and not a.attisdropped)
                  union all
                  select c.relname, 'trigger ' || t.tgname || ' is disabled'
                  from pg_catalog.pg_namespace n
                    join pg_catalog.pg_class c on c.relnamespace = n.oid
                    join pg_catalog.pg_trigger t on t.tgrelid = c.oid
                  where n.nspname = 'durable' and t.tgenabled = 'D'
                  union all
                  select c.relname, 'security_invoker is off'
                  from pg_catalog.pg_namespace n
                    join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relkind = 'v'
                  where n.nspname = 'durable'
                    and not exists (select from pg_catalog.pg_options_to_table(c.reloptions) o
                                    where o.option_name = 'security_invoker' and o.option_value::boolean)
                  order by 1, 2
                  """)
              .coerce(OBJECT, NOTE));

  /** What others than the owner have been given; a privilege on a table is one on its columns. */
  static final Statement GIVEN =
      Statement.ofRows(
          resultQuery(
                  """
                  select distinct c.relname as object, a.attname as column_name, g.privilege_type as privilege
                  from pg_catalog.pg_namespace n
                    join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relkind in ('r', 'p', 'v', 'm')
                    join pg_catalog.pg_attribute a
                      on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                    cross join lateral (
                      select * from pg_catalog.aclexplode(c.relacl)
                      union all
                      select * from pg_catalog.aclexplode(a.attacl)) as g
                  where n.nspname = 'durable' and g.grantee <> c.relowner
                    and g.privilege_type in ('SELECT', 'INSERT', 'UPDATE')
                  union all
                  select distinct c.relname, '', g.privilege_type
                  from pg_catalog.pg_namespace n
                    join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relkind in ('r', 'p', 'v', 'm')
                    cross join lateral pg_catalog.aclexplode(c.relacl) as g
                  where n.nspname = 'durable' and g.grantee <> c.relowner and g.privilege_type = 'DELETE'
                  union all
                  select distinct c.relname, '', g.privilege_type
                  from pg_catalog.pg_namespace n
                    join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relkind = 'S'
                    cross join lateral pg_catalog.aclexplode(c.relacl) as g
                  where n.nspname = 'durable' and g.grantee <> c.relowner
                  union all
                  select distinct f.proname, '', g.privilege_type
                  from pg_catalog.pg_namespace n
                    join pg_catalog.pg_proc f on f.pronamespace = n.oid
                    cross join lateral pg_catalog.aclexplode(f.proacl) as g
                  where n.nspname = 'durable' and g.grantee <> f.proowner
                  """)
              .coerce(OBJECT, COLUMN, PRIVILEGE));

  private CatalogSql() {}
}
