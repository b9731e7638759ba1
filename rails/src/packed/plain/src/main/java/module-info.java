import org.jspecify.annotations.NullMarked;

/** An application of the library that speaks plain JDBC. */
@NullMarked
module dev.handofffence.consumer {
  requires com.fasterxml.jackson.databind;
  requires dev.handofffence;
  requires flyway.core;
  requires static org.jspecify;

  opens dev.handofffence.consumer to
      com.fasterxml.jackson.databind;
  opens consumer.migration;
  opens consumer.grants;
}
