package dev.handofffence.internal.sql;

import static org.jooq.impl.DSL.resultQuery;

/**
 * What the session's role is and may do. Both the role in force and the one that logged in: {@code
 * RESET ROLE} leads back to that.
 */
final class RoleSql {

  static final Statement POWERS =
      Statement.ofRows(
          resultQuery(
                  """
                  select r.rolname as object, p.privilege
                  from pg_catalog.pg_roles r
                    cross join lateral (values ('SUPERUSER', r.rolsuper), ('BYPASSRLS', r.rolbypassrls),
                      ('CREATEROLE', r.rolcreaterole), ('CREATEDB', r.rolcreatedb)) as p (privilege, has)
                  where r.rolname in (current_user, session_user) and p.has
                  order by 1, 2
                  """)
              .coerce(CatalogSql.OBJECT, CatalogSql.PRIVILEGE));

  static final Statement MEMBERSHIPS =
      Statement.ofRows(
          resultQuery(
                  """
                  select distinct r.rolname as object
                  from pg_catalog.pg_roles r
                    cross join pg_catalog.pg_roles me
                  where me.rolname in (current_user, session_user)
                    and r.rolname not in (current_user, session_user)
                    and (r.rolsuper or r.rolbypassrls
                      or r.rolname in ('pg_read_all_data', 'pg_write_all_data')
                      or r.oid in (select n.nspowner from pg_catalog.pg_namespace n where n.nspname = 'durable'))
                    and not me.rolsuper
                    and pg_catalog.pg_has_role(me.oid, r.oid, 'MEMBER')
                  order by 1
                  """)
              .coerce(CatalogSql.OBJECT));

  static final Statement OWNED =
      Statement.ofRows(
          resultQuery(
                  """
                  select o.object
                  from (select n.nspname, n.nspowner, 'schema ' || n.nspname
                        from pg_catalog.pg_namespace n
                        union all
                        select n.nspname, c.relowner, c.relname
                        from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
                        where c.relkind <> 'i'
                        union all
                        select n.nspname, p.proowner, p.proname
                        from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
                       ) as o (schema, owner, object)
                    join pg_catalog.pg_roles me on me.oid = o.owner
                  where o.schema = 'durable' and me.rolname in (current_user, session_user)
                  order by 1
                  """)
              .coerce(CatalogSql.OBJECT));

  /** One row when the role may create objects in the schema. */
  static final Statement CREATES =
      Statement.ofRows(
          resultQuery(
                  """
                  select n.nspname as object
                  from pg_catalog.pg_namespace n
                  where n.nspname = 'durable' and pg_catalog.has_schema_privilege(n.oid, 'CREATE')
                  """)
              .coerce(CatalogSql.OBJECT));

  /** Effective privileges, whoever they come from; table privileges have no column. */
  static final Statement GRANTS =
      Statement.ofRows(
          resultQuery(
                  """
                  select c.relname as object, a.attname as column_name, p.privilege
                  from pg_catalog.pg_namespace n
                    join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relkind in ('r', 'p', 'v', 'm')
                    join pg_catalog.pg_attribute a
                      on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                    cross join (values ('SELECT'), ('INSERT'), ('UPDATE')) as p (privilege)
                  where n.nspname = 'durable'
                    and pg_catalog.has_column_privilege(c.oid, a.attnum, p.privilege)
                  union all
                  select c.relname, '', p.privilege
                  from pg_catalog.pg_namespace n
                    join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relkind in ('r', 'p', 'v', 'm')
                    cross join (values ('DELETE'), ('TRUNCATE'), ('TRIGGER'), ('REFERENCES')) as p (privilege)
                  where n.nspname = 'durable' and pg_catalog.has_table_privilege(c.oid, p.privilege)
                  union all
                  select c.relname, '', p.privilege
                  from pg_catalog.pg_namespace n
                    join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relkind = 'S'
                    cross join (values ('USAGE'), ('SELECT'), ('UPDATE')) as p (privilege)
                  where n.nspname = 'durable' and pg_catalog.has_sequence_privilege(c.oid, p.privilege)
                  union all
                  select f.proname, '', 'EXECUTE'
                  from pg_catalog.pg_namespace n
                    join pg_catalog.pg_proc f on f.pronamespace = n.oid
                  where n.nspname = 'durable' and pg_catalog.has_function_privilege(f.oid, 'EXECUTE')
                  """)
              .coerce(CatalogSql.OBJECT, CatalogSql.COLUMN, CatalogSql.PRIVILEGE));

  private RoleSql() {}
}
