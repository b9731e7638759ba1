package dev.handofffence.runtime;

import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import dev.handofffence.StoreIdentity;
import dev.handofffence.internal.handoff.Endpoint;
import dev.handofffence.internal.handoff.FenceSettings;
import dev.handofffence.internal.pump.Contract;
import dev.handofffence.internal.pump.Contracts;
import dev.handofffence.internal.pump.NativeRuntime;
import dev.handofffence.internal.pump.RuntimeOptions;
import dev.handofffence.internal.work.AcceptanceLimits;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkExecutorFactory;
import dev.handofffence.work.WorkReconciler;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Collects what a {@link DurableRuntime} needs. Not thread-safe.
 *
 * <p>The data sources may be pools. While a pass of the pump runs, it keeps three connections of
 * the runtime's and one of the dispatcher's to itself, so that an exhausted pool cannot cost a
 * lease. A worker host keeps these and one more of the runtime's as long as it lives. Asking
 * reconcilers takes one connection of each meanwhile, and another for each answer.
 */
public final class DurableRuntimeBuilder {

  private static final int SLOTS_PER_PROCESSOR = 4;
  private static final int MOST_SLOTS = 1_000;

  private final Map<String, Contract<?, ?>> contracts = new LinkedHashMap<>();
  private @Nullable DataSource runtimeDataSource;
  private @Nullable DataSource dispatcherDataSource;
  private @Nullable StoreIdentity store;
  private UUID workerId = UUID.randomUUID();
  private int concurrency =
      Math.min(MOST_SLOTS, SLOTS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors());
  private @Nullable Executor executor;
  private AcceptanceLimits acceptance = AcceptanceLimits.standard();
  private boolean wakesHosts = true;
  private final Set<Endpoint> endpoints = new HashSet<>();

  DurableRuntimeBuilder() {}

  /**
   * Sets where connections with the runtime role come from. Required.
   *
   * @param source gives the connections
   * @return this builder
   */
  public DurableRuntimeBuilder runtimeDataSource(DataSource source) {
    this.runtimeDataSource = Objects.requireNonNull(source, "source");
    return this;
  }

  /**
   * Sets where connections with the dispatcher role come from. Required.
   *
   * @param source gives the connections
   * @return this builder
   */
  public DurableRuntimeBuilder dispatcherDataSource(DataSource source) {
    this.dispatcherDataSource = Objects.requireNonNull(source, "source");
    return this;
  }

  /**
   * Sets the store that both data sources must lead to, and the epoch it must have. Required.
   *
   * @param identity store id and epoch
   * @return this builder
   */
  public DurableRuntimeBuilder store(StoreIdentity identity) {
    this.store = Objects.requireNonNull(identity, "identity");
    return this;
  }

  /**
   * Registers the executor of a contract; the pump takes only Work whose contract is registered.
   *
   * @param <P> type of the payload
   * @param <R> type of the result
   * @param definition the contract
   * @param executors builds the executor of each attempt
   * @return this builder
   * @throws DurableException DUR100 when a contract of this name and version is registered already
   */
  public <P, R> DurableRuntimeBuilder register(
      WorkDefinition<P, R> definition, WorkExecutorFactory<P, R> executors) {
    Objects.requireNonNull(executors, "executors");
    return add(new Contract<>(definition, executors, null));
  }

  /**
   * Registers the executor of a contract, and the reconciler that is asked about its Work whose
   * outcome is not known, before anybody else has to decide.
   *
   * @param <P> type of the payload
   * @param <R> type of the result
   * @param definition the contract
   * @param executors builds the executor of each attempt
   * @param reconciler asks the provider about suspended Work
   * @return this builder
   * @throws DurableException DUR100 when a contract of this name and version is registered already,
   *     or when its provider safety is MANUAL_RESOLUTION, where only a person decides
   */
  public <P, R> DurableRuntimeBuilder register(
      WorkDefinition<P, R> definition,
      WorkExecutorFactory<P, R> executors,
      WorkReconciler<P, R> reconciler) {
    Objects.requireNonNull(executors, "executors");
    Objects.requireNonNull(reconciler, "reconciler");
    if (definition.providerSafety() == ProviderSafety.MANUAL_RESOLUTION) {
      throw invalid("a reconciler for " + definition + ", whose provider safety is manual");
    }
    return add(new Contract<>(definition, executors, reconciler));
  }

  private DurableRuntimeBuilder add(Contract<?, ?> contract) {
    if (contracts.putIfAbsent(contract.definition().toString(), contract) != null) {
      throw invalid("the contract " + contract.definition() + " is registered twice");
    }
    return this;
  }

  /**
   * Sets the id under which this runtime owns leases; a random one unless set.
   *
   * @param id unique among the live workers
   * @return this builder
   */
  public DurableRuntimeBuilder workerId(UUID id) {
    this.workerId = Objects.requireNonNull(id, "id");
    return this;
  }

  /**
   * Sets how many executors may run at the same time: 1 to 1,000; four per processor unless set. No
   * more effects are permitted than there are free places.
   *
   * @param executors 1 to 1,000
   * @return this builder
   */
  public DurableRuntimeBuilder concurrency(int executors) {
    this.concurrency = executors;
    return this;
  }

  /**
   * Sets where executors run; it must be able to run as many as {@link #concurrency} at once and
   * must not run them on the calling thread. Unless set, they run on virtual threads where the JDK
   * has them, and on daemon threads of the library's otherwise.
   *
   * @param host runs executors
   * @return this builder
   */
  public DurableRuntimeBuilder executor(Executor host) {
    this.executor = Objects.requireNonNull(host, "host");
    return this;
  }

  /**
   * Sets the largest payload that is accepted: 1 byte to 64 MiB; 1 MiB unless set.
   *
   * @param bytes 1 byte to 64 MiB
   * @return this builder
   * @throws DurableException DUR100 for another size
   */
  public DurableRuntimeBuilder maxPayloadBytes(int bytes) {
    this.acceptance = new AcceptanceLimits(bytes);
    return this;
  }

  /**
   * Sets whether acceptance notifies worker hosts when one of them has nothing to do; true unless
   * set. Without it they find Work at their next poll.
   *
   * @param value whether hosts are notified
   * @return this builder
   */
  public DurableRuntimeBuilder wakesHosts(boolean value) {
    this.wakesHosts = value;
    return this;
  }

  /**
   * Allows handoff transactions at the hosts, ports and database that this JDBC URL names; call it
   * again for poolers and standbys. Any endpoint is allowed unless one is set; the store id decides
   * in the end.
   *
   * @param jdbcUrl a PostgreSQL JDBC URL
   * @return this builder
   * @throws DurableException DUR100 when it is not a PostgreSQL JDBC URL
   */
  public DurableRuntimeBuilder allowEndpoint(String jdbcUrl) {
    try {
      endpoints.addAll(Endpoint.of(jdbcUrl));
    } catch (IllegalArgumentException e) {
      throw invalid("allowEndpoint was given something else than a PostgreSQL JDBC URL");
    }
    return this;
  }

  /**
   * Builds the runtime. Opens no connection, starts no thread and runs no SQL.
   *
   * @return the runtime
   * @throws DurableException DUR100 when something required is missing or a value is out of range
   */
  public DurableRuntime build() {
    return new NativeRuntime(
        new RuntimeOptions(
            required(runtimeDataSource, "runtimeDataSource"),
            required(dispatcherDataSource, "dispatcherDataSource"),
            required(store, "store"),
            new Contracts(contracts.values()),
            workerId,
            inRange("concurrency", concurrency, MOST_SLOTS),
            Optional.ofNullable(executor),
            acceptance,
            wakesHosts,
            FenceSettings.of(endpoints)));
  }

  private static <T> T required(@Nullable T value, String name) {
    if (value == null) {
      throw invalid(name + " is not set");
    }
    return value;
  }

  private static int inRange(String name, int value, int most) {
    if (value < 1 || value > most) {
      throw invalid(name + " is " + value + "; allowed are 1 to " + most);
    }
    return value;
  }

  private static DurableException invalid(String observed) {
    return new DurableException(Problem.INVALID_REQUEST, observed);
  }
}
