import org.jspecify.annotations.NullMarked;

/**
 * Exclusive authority over an external effect, decided inside the application's own transaction.
 */
@NullMarked
module dev.handofffence {
  requires transitive java.sql;
  requires transitive org.jooq;
  requires dev.handofffence.generated;
  requires org.postgresql.jdbc;
  requires org.slf4j;
  requires static com.fasterxml.jackson.databind; // only for the JSON codec
  requires static jakarta.xml.bind; // jOOQ's classes carry its annotations; javadoc must find them
  requires static transitive org.jspecify; // @Nullable stands in public signatures

  exports dev.handofffence;
  exports dev.handofffence.handoff;
  exports dev.handofffence.runtime;
  exports dev.handofffence.work;

  // Resource folders, whose names are those of packages: unless they are open to everybody, Flyway
  // lists the scripts on the module path but cannot read them.
  opens durable.migration;
  opens durable.roles;
}
