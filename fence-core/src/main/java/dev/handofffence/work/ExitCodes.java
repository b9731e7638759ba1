package dev.handofffence.work;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Form of the codes that executors leave in the history. */
final class ExitCodes {

  private static final int LONGEST = 200;
  private static final Pattern OTHER_CHARACTER = Pattern.compile("[^A-Za-z0-9._:-]");
  private static final String NONE = "unspecified";

  private ExitCodes() {}

  /**
   * Returns the code in its form. It is never refused: an executor that says that nothing was sent
   * would otherwise end with an exception, which says that nobody knows.
   */
  static String sanitised(@Nullable String code) {
    if (code == null || code.isEmpty()) {
      return NONE;
    }
    String cut = code.substring(0, Math.min(code.length(), LONGEST));
    return OTHER_CHARACTER.matcher(cut).replaceAll("_");
  }
}
