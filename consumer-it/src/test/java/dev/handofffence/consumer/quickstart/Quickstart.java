package dev.handofffence.consumer.quickstart;

/** The example of the README, run by {@code mvn -q -Pquickstart}. */
public final class Quickstart {

  private Quickstart() {}

  /**
   * Runs the example.
   *
   * @param args unused
   */
  public static void main(String[] args) {
    System.out.println("Handoff Fence: the quickstart is not written yet.");
  }
}
