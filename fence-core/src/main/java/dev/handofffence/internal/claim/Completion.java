package dev.handofffence.internal.claim;

import org.jspecify.annotations.Nullable;

/**
 * What the holder of a claim reports at its end.
 *
 * @param code the executor's own code; null for a success
 * @param result present for a success, and only then
 */
public record Completion(
    Claim claim, ExitKind kind, @Nullable String code, @Nullable EncodedResult result) {

  public Completion {
    if ((kind == ExitKind.SUCCEEDED) != (result != null) || (result == null) != (code != null)) {
      throw new IllegalArgumentException("A success has a result, every other exit has a code");
    }
  }

  public static Completion succeeded(Claim claim, EncodedResult result) {
    return new Completion(claim, ExitKind.SUCCEEDED, null, result);
  }

  public static Completion withoutResult(Claim claim, ExitKind kind, String code) {
    return new Completion(claim, kind, code, null);
  }
}
