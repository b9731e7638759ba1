/**
 * jOOQ types of the schema {@code durable}, for the library alone: a generated type in one of its
 * public signatures fails the build.
 */
@SuppressWarnings("module") // The one module these are exported to is built after this one.
module dev.handofffence.generated {
  requires transitive org.jooq;
  requires static transitive org.jspecify;

  exports dev.handofffence.generated to
      dev.handofffence;
  exports dev.handofffence.generated.tables to
      dev.handofffence;
  exports dev.handofffence.generated.tables.records to
      dev.handofffence;
  exports dev.handofffence.generated.type to
      dev.handofffence;

  // jOOQ makes records through their constructor.
  opens dev.handofffence.generated.tables.records to
      org.jooq;
}
