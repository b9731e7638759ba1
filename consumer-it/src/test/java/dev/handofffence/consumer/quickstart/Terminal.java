package dev.handofffence.consumer.quickstart;

import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** Aligned lines, coloured only where a person reads them. */
final class Terminal {

  private static final String BOLD = "1";
  private static final String GREEN = "32";
  private static final String RED = "31";
  private static final String DIM = "2";

  private final PrintStream out;
  private final boolean colours;

  Terminal(PrintStream out, boolean colours) {
    this.out = out;
    this.colours = colours;
  }

  /** Returns the standard output: in colour on a terminal, unless NO_COLOR says otherwise. */
  @SuppressWarnings("SystemConsoleNull") // the build passes jdk.console=java.base: null as on 17
  static Terminal standard() {
    return new Terminal(
        System.out,
        wantsColours(System.console() != null, System.getenv("NO_COLOR"), System.getenv("TERM")));
  }

  static boolean wantsColours(boolean terminal, @Nullable String noColour, @Nullable String kind) {
    return terminal && (noColour == null || noColour.isEmpty()) && !"dumb".equals(kind);
  }

  void title(String text) {
    line("");
    line(paint(BOLD, text));
  }

  /** Prints a labelled line; an empty label continues the one above. */
  void field(String label, String value) {
    line("  " + paint(DIM, "%-12s".formatted(label)) + " " + value);
  }

  void line(String text) {
    out.println(text);
  }

  String good(String text) {
    return paint(GREEN, text);
  }

  String bad(String text) {
    return paint(RED, text);
  }

  private String paint(String style, String text) {
    return colours ? "\u001b[" + style + 'm' + text + "\u001b[0m" : text;
  }
}
