package dev.handofffence.soak;

import com.zaxxer.hikari.HikariDataSource;
import dev.handofffence.ScopeId;
import dev.handofffence.StoreIdentity;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.runtime.DurableRuntime;
import dev.handofffence.runtime.StoreAdministration;
import dev.handofffence.runtime.WorkOperator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** What traffic, turmoil and operators share: the store with its epoch, scopes, accepted Work. */
final class Stage implements AutoCloseable {

  private static final int SCOPES = 6;

  final DurableDatabase database;
  final List<ScopeId> scopes = new CopyOnWriteArrayList<>();
  final List<Accepted> accepted = new CopyOnWriteArrayList<>();
  private final HikariDataSource operators;
  private final HikariDataSource applications;
  private volatile StoreIdentity store;
  private volatile DurableRuntime runtime;
  private int scopesMade;

  Stage(DurableDatabase database) {
    this.database = database;
    this.store = database.store();
    this.operators = SoakWorker.pool(database.operator(), 2);
    this.applications = SoakWorker.pool(database.runtime(), 2);
    this.runtime = runtime(store);
    for (int i = 0; i < SCOPES; i++) {
      openScope();
    }
  }

  /** Adds a scope to those that traffic uses. */
  void openScope() {
    scopes.add(ScopeId.of("tenant-" + ++scopesMade));
  }

  void enterEpoch(StoreIdentity next) {
    store = next;
    runtime = runtime(next);
  }

  StoreIdentity store() {
    return store;
  }

  /** Returns a runtime that accepts and runs nothing. */
  DurableRuntime runtime() {
    return runtime;
  }

  WorkOperator operator() {
    return WorkOperator.of(operators, store);
  }

  StoreAdministration administration() {
    return StoreAdministration.of(database.owner());
  }

  ScopeId anyScope(Random random) {
    return scopes.get(random.nextInt(scopes.size()));
  }

  /** Keeps what must not be lost beside what the store remembers. */
  void writeDownAccepted() {
    String works =
        accepted.stream().map(a -> "('" + a.work() + "')").collect(Collectors.joining(", "));
    if (!works.isEmpty()) {
      database.execute("INSERT INTO app.accepted VALUES " + works);
    }
  }

  private DurableRuntime runtime(StoreIdentity identity) {
    return DurableRuntime.builder()
        .runtimeDataSource(applications)
        .dispatcherDataSource(database.dispatcher())
        .store(identity)
        .build();
  }

  @Override
  public void close() {
    operators.close();
    applications.close();
  }
}
