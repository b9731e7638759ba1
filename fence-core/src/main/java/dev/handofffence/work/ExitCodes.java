package dev.handofffence.work;

import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import java.util.regex.Pattern;

/** Form of the codes that executors leave in the history. */
final class ExitCodes {

  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._:-]{1,200}");

  private ExitCodes() {}

  static void check(String code) {
    if (!FORM.matcher(code).matches()) {
      throw new DurableException(
          Problem.INVALID_REQUEST,
          "exit code of "
              + code.length()
              + " characters; allowed are 1 to 200 of A-Z a-z 0-9 . _ : -");
    }
  }
}
