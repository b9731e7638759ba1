/** An application of the library, with nothing but the published artifacts. */
module dev.handofffence.consumer {
  requires dev.handofffence;
  requires flyway.core;
  requires static org.jspecify;
}
