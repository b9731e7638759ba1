package dev.handofffence.schema;

/** Asks the catalog what everybody may do in the schema. */
final class PublicPrivileges {

  /** One row, "nothing" as it should be. */
  static final String QUERY =
      """
      SELECT coalesce(string_agg(o.name || ' ' || g.privilege_type, ', '), 'nothing') FROM (
          SELECT nspname::text, coalesce(nspacl, acldefault('n', nspowner)) FROM pg_namespace
          WHERE nspname = 'durable'
          UNION ALL
          SELECT relname, coalesce(relacl, acldefault('r', relowner)) FROM pg_class
          WHERE relnamespace = 'durable'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
          UNION ALL
          SELECT relname, coalesce(relacl, acldefault('s', relowner)) FROM pg_class
          WHERE relnamespace = 'durable'::regnamespace AND relkind = 'S'
          UNION ALL
          SELECT proname, coalesce(proacl, acldefault('f', proowner)) FROM pg_proc
          WHERE pronamespace = 'durable'::regnamespace) AS o (name, acl),
        aclexplode(o.acl) AS g
      WHERE g.grantee = 0
      """;

  private PublicPrivileges() {}
}
