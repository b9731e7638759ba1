package dev.handofffence.soak;

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
final class Stage {

  private static final int SCOPES = 6;

  final DurableDatabase database;
  final List<ScopeId> scopes = new CopyOnWriteArrayList<>();
  final List<Accepted> accepted = new CopyOnWriteArrayList<>();
  private volatile StoreIdentity store;
  private volatile DurableRuntime runtime;
  private int scopesMade;

  Stage(DurableDatabase database) {
    this.database = database;
    this.store = database.store();
    this.runtime = runtime(database, store);
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
    runtime = runtime(database, next);
  }

  StoreIdentity store() {
    return store;
  }

  /** Returns a runtime that accepts and runs nothing. */
  DurableRuntime runtime() {
    return runtime;
  }

  WorkOperator operator() {
    return WorkOperator.of(database.operator(), store);
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

  private static DurableRuntime runtime(DurableDatabase database, StoreIdentity store) {
    return DurableRuntime.builder()
        .runtimeDataSource(database.runtime())
        .dispatcherDataSource(database.dispatcher())
        .store(store)
        .build();
  }
}
