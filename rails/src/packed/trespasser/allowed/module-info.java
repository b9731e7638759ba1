/** Reads the library's module as any application would. */
module org.example.trespasser {
  requires dev.handofffence;
}
