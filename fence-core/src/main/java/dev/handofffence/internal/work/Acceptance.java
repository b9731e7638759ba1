package dev.handofffence.internal.work;

import dev.handofffence.OperationResult;
import dev.handofffence.StoreIdentity;
import dev.handofffence.work.AcceptedWork;
import dev.handofffence.work.WorkAcceptance;
import dev.handofffence.work.WorkRequest;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.jooq.Configuration;

/** Accepts Work in one round trip. */
public final class Acceptance implements WorkAcceptance {

  private final StoreIdentity store;
  private final DataSource runtime;
  private final AcceptanceLimits limits;

  public Acceptance(StoreIdentity store, DataSource runtime, AcceptanceLimits limits) {
    this.store = Objects.requireNonNull(store, "store");
    this.runtime = Objects.requireNonNull(runtime, "runtime");
    this.limits = Objects.requireNonNull(limits, "limits");
  }

  @Override
  public OperationResult<AcceptedWork> accept(
      Configuration transaction, WorkRequest<?, ?> request) {
    return acceptAll(transaction, List.of(request)).get(0);
  }

  @Override
  public OperationResult<AcceptedWork> accept(Connection transaction, WorkRequest<?, ?> request) {
    return acceptAll(transaction, List.of(request)).get(0);
  }

  @Override
  public OperationResult<AcceptedWork> accept(WorkRequest<?, ?> request) {
    return acceptAll(List.of(request)).get(0);
  }

  @Override
  public List<OperationResult<AcceptedWork>> acceptAll(
      Configuration transaction, List<? extends WorkRequest<?, ?>> requests) {
    throw new UnsupportedOperationException("Not written yet " + store + runtime + limits);
  }

  @Override
  public List<OperationResult<AcceptedWork>> acceptAll(
      Connection transaction, List<? extends WorkRequest<?, ?>> requests) {
    throw new UnsupportedOperationException("Not written yet");
  }

  @Override
  public List<OperationResult<AcceptedWork>> acceptAll(List<? extends WorkRequest<?, ?>> requests) {
    throw new UnsupportedOperationException("Not written yet");
  }
}
