import org.jspecify.annotations.NullMarked;

/** An application of the library, with nothing but its published artifacts. */
@NullMarked
module dev.handofffence.consumer {
  requires com.fasterxml.jackson.databind;
  requires dev.handofffence;
  requires flyway.core;
  requires static org.jspecify;

  // The JSON codec reads and makes the payloads.
  opens dev.handofffence.consumer to
      com.fasterxml.jackson.databind;

  // Resource folders, which Flyway reads: open to everybody, or it lists the scripts and cannot
  // read them.
  opens consumer.migration;
  opens consumer.grants;
}
