package dev.handofffence.work;

import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is known about the effect of a Work, from outside the store: the provider's answer to a
 * question that changes nothing, or a person's word. It speaks for the activity id, and so for all
 * attempts. Immutable.
 */
public final class Evidence {

  private static final Pattern FORMAT = Pattern.compile("[a-z0-9-]{1,50}");
  private static final Evidence APPLIED = new Evidence(true, null, null, null);
  private static final Evidence NOT_APPLIED = new Evidence(false, null, null, null);

  private final boolean applied;
  private final @Nullable String contract;
  private final @Nullable String resultFormat;
  private final byte @Nullable [] result;

  private Evidence(
      boolean applied,
      @Nullable String contract,
      @Nullable String resultFormat,
      byte @Nullable [] result) {
    this.applied = applied;
    this.contract = contract;
    this.resultFormat = resultFormat;
    this.result = result;
  }

  /**
   * The effect happened; its result is not known.
   *
   * @return the evidence
   */
  public static Evidence applied() {
    return APPLIED;
  }

  /**
   * The effect happened, with this result.
   *
   * @param <R> type of the result
   * @param definition the contract of the Work
   * @param result what the provider answered
   * @return the evidence
   * @throws DurableException DUR100 when the result cannot be encoded
   */
  public static <R> Evidence applied(WorkDefinition<?, R> definition, R result) {
    try {
      return new Evidence(
          true,
          definition.toString(),
          definition.resultCodec().format(),
          definition.resultCodec().encode(result).clone());
    } catch (Exception e) {
      throw new DurableException(
          Problem.INVALID_REQUEST, "the result codec of " + definition + " failed", e);
    }
  }

  /**
   * The effect happened, with a result that is encoded already.
   *
   * @param format of the contract's result codec, 1 to 50 characters of {@code a-z 0-9 -}
   * @param result what the provider answered
   * @return the evidence
   * @throws DurableException DUR100 when the format has another form
   */
  public static Evidence applied(String format, byte[] result) {
    if (!FORMAT.matcher(format).matches()) {
      throw new DurableException(
          Problem.INVALID_REQUEST, "result format; allowed are 1 to 50 characters of a-z 0-9 -");
    }
    return new Evidence(true, null, format, result.clone());
  }

  /**
   * The effect did not happen, and none of the attempts can still bring it about.
   *
   * @return the evidence
   */
  public static Evidence notApplied() {
    return NOT_APPLIED;
  }

  /** {@return whether the effect happened} */
  public boolean isApplied() {
    return applied;
  }

  /** {@return the contract that the result was encoded for, as {@code name/version}} */
  public Optional<String> contract() {
    return Optional.ofNullable(contract);
  }

  /** {@return the byte format of the result, if there is one} */
  public Optional<String> resultFormat() {
    return Optional.ofNullable(resultFormat);
  }

  /** {@return a copy of the encoded result} */
  public Optional<byte[]> result() {
    return Optional.ofNullable(result).map(byte[]::clone);
  }

  /** Returns a text without the result. */
  @Override
  public String toString() {
    return applied ? "Evidence[applied]" : "Evidence[not applied]";
  }
}
