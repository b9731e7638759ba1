package dev.handofffence.work;

import dev.handofffence.CommandId;
import dev.handofffence.DurableException;
import dev.handofffence.IdempotencyKey;
import dev.handofffence.Problem;
import dev.handofffence.ScopeId;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The contract of a kind of Work: stable name and version, codecs, provider safety and policies.
 * Immutable.
 *
 * <p>Name and version are kept with every accepted Work. Change the version when old payloads can
 * no longer be decoded.
 *
 * @param <P> type of the payload
 * @param <R> type of the result
 */
public final class WorkDefinition<P, R> {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:-]{1,200}");
  private static final Pattern VERSION = Pattern.compile("[A-Za-z0-9._:-]{1,100}");
  private static final Pattern FORMAT = Pattern.compile("[a-z0-9-]{1,50}");

  private final String name;
  private final String version;
  private final PayloadCodec<P> payloadCodec;
  private final PayloadCodec<R> resultCodec;
  private final ProviderSafety providerSafety;
  private final RetryPolicy retry;
  private final LeasePolicy lease;

  private WorkDefinition(
      String name,
      String version,
      PayloadCodec<P> payloadCodec,
      PayloadCodec<R> resultCodec,
      ProviderSafety providerSafety,
      RetryPolicy retry,
      LeasePolicy lease) {
    this.name = name;
    this.version = version;
    this.payloadCodec = payloadCodec;
    this.resultCodec = resultCodec;
    this.providerSafety = providerSafety;
    this.retry = retry;
    this.lease = lease;
  }

  /**
   * Starts a definition.
   *
   * @param name 1 to 200 characters of {@code A-Z a-z 0-9 . _ : -}; never a Java class name, which
   *     a refactoring would change
   * @param version 1 to 100 characters of the same alphabet
   * @return the definition so far
   * @throws DurableException DUR100 when name or version has another form
   */
  public static Named named(String name, String version) {
    check(NAME, name, "contract name", 200);
    check(VERSION, version, "contract version", 100);
    return new Named(name, version);
  }

  /**
   * {@return a request with this contract, to be accepted}
   *
   * @param scope the tenant
   * @param commandId unique in the scope; repeating the command is answered with its first outcome
   * @param idempotencyKey the application's key of the logical effect, unique in the scope
   * @param payload what the executor will be given
   */
  public WorkRequest<P, R> request(
      ScopeId scope, CommandId commandId, IdempotencyKey idempotencyKey, P payload) {
    return WorkRequest.of(this, scope, commandId, idempotencyKey, payload);
  }

  /** {@return the name of the contract} */
  public String name() {
    return name;
  }

  /** {@return the version of the contract} */
  public String version() {
    return version;
  }

  /** {@return what turns payloads into bytes} */
  public PayloadCodec<P> payloadCodec() {
    return payloadCodec;
  }

  /** {@return what turns results into bytes} */
  public PayloadCodec<R> resultCodec() {
    return resultCodec;
  }

  /** {@return what may be done about an unknown outcome} */
  public ProviderSafety providerSafety() {
    return providerSafety;
  }

  /** {@return how often and when it is tried again} */
  public RetryPolicy retry() {
    return retry;
  }

  /** {@return how long a claim is good for} */
  public LeasePolicy lease() {
    return lease;
  }

  @Override
  public String toString() {
    return name + "/" + version;
  }

  private static void checkFormat(PayloadCodec<?> codec, String what) {
    if (!FORMAT.matcher(codec.format()).matches()) {
      throw new DurableException(
          Problem.INVALID_REQUEST,
          "format of the " + what + " codec; allowed are 1 to 50 characters of a-z 0-9 -");
    }
  }

  private static void check(Pattern form, String value, String kind, int longest) {
    if (!form.matcher(value).matches()) {
      throw new DurableException(
          Problem.INVALID_REQUEST,
          kind
              + " of "
              + value.length()
              + " characters; allowed are 1 to "
              + longest
              + " of A-Z a-z 0-9 . _ : -");
    }
  }

  /** A definition with a name, waiting for its payload type. */
  public static final class Named {
    private final String name;
    private final String version;

    private Named(String name, String version) {
      this.name = name;
      this.version = version;
    }

    /**
     * {@return the definition with its payload type}
     *
     * @param <P> type of the payload
     * @param codec turns values into bytes and back
     */
    public <P> WithPayload<P> payload(PayloadCodec<P> codec) {
      return new WithPayload<>(this, Objects.requireNonNull(codec, "codec"));
    }
  }

  /**
   * A definition with a payload type, waiting for its result type.
   *
   * @param <P> type of the payload
   */
  public static final class WithPayload<P> {
    private final Named named;
    private final PayloadCodec<P> payload;

    private WithPayload(Named named, PayloadCodec<P> payload) {
      this.named = named;
      this.payload = payload;
    }

    /**
     * {@return the definition with its result type}
     *
     * @param <R> type of the result
     * @param codec turns values into bytes and back
     */
    public <R> Builder<P, R> result(PayloadCodec<R> codec) {
      return new Builder<>(named, payload, Objects.requireNonNull(codec, "codec"));
    }
  }

  /**
   * Collects the rest. Provider safety has no default: somebody has to decide it.
   *
   * @param <P> type of the payload
   * @param <R> type of the result
   */
  public static final class Builder<P, R> {
    private final Named named;
    private final PayloadCodec<P> payload;
    private final PayloadCodec<R> result;
    private @Nullable ProviderSafety providerSafety;
    private RetryPolicy retry = RetryPolicy.attempts(10);
    private LeasePolicy lease = LeasePolicy.standard();

    private Builder(Named named, PayloadCodec<P> payload, PayloadCodec<R> result) {
      this.named = named;
      this.payload = payload;
      this.result = result;
    }

    /**
     * Sets what may be done about an effect whose outcome is unknown. Required.
     *
     * @param safety what may be done about an unknown outcome
     * @return this builder
     */
    public Builder<P, R> providerSafety(ProviderSafety safety) {
      this.providerSafety = Objects.requireNonNull(safety, "safety");
      return this;
    }

    /**
     * Sets the retry policy; the default is ten attempts.
     *
     * @param policy the policy
     * @return this builder
     */
    public Builder<P, R> retry(RetryPolicy policy) {
      this.retry = Objects.requireNonNull(policy, "policy");
      return this;
    }

    /**
     * Sets the lease policy; the default is {@link LeasePolicy#standard()}.
     *
     * @param policy the policy
     * @return this builder
     */
    public Builder<P, R> lease(LeasePolicy policy) {
      this.lease = Objects.requireNonNull(policy, "policy");
      return this;
    }

    /**
     * Builds the definition.
     *
     * @return the definition
     * @throws DurableException DUR100 when the provider safety was not set, or a codec's format has
     *     another form than it may have
     */
    public WorkDefinition<P, R> build() {
      checkFormat(payload, "payload");
      checkFormat(result, "result");
      if (providerSafety == null) {
        throw new DurableException(Problem.INVALID_REQUEST, "provider safety not set");
      }
      return new WorkDefinition<>(
          named.name, named.version, payload, result, providerSafety, retry, lease);
    }
  }
}
