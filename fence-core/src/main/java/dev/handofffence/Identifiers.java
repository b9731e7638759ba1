package dev.handofffence;

import java.util.regex.Pattern;

/** The one alphabet and length of identifiers that applications choose (protocol section 1). */
final class Identifiers {

  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._:-]{1,200}");

  private Identifiers() {}

  static String check(String kind, String value) {
    if (!FORM.matcher(value).matches()) {
      throw new DurableException(
          Problem.INVALID_REQUEST,
          kind
              + " of "
              + value.length()
              + " characters; allowed are 1 to 200 of A-Z a-z 0-9 . _ : -");
    }
    return value;
  }

  /** Identifiers may name a customer, so they stay out of logs that print values by accident. */
  static String masked(String kind, String value) {
    return kind + "[" + value.length() + " characters]";
  }
}
