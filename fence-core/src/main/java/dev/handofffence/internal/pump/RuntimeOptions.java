package dev.handofffence.internal.pump;

import dev.handofffence.StoreIdentity;
import dev.handofffence.internal.handoff.FenceSettings;
import dev.handofffence.internal.work.AcceptanceLimits;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import javax.sql.DataSource;

/**
 * What a runtime was built with; checked by its builder.
 *
 * @param concurrency how many executors may run at the same time
 * @param wakesHosts whether acceptance notifies idle worker hosts
 * @param executor where executors run; the library's own threads when empty
 */
public record RuntimeOptions(
    DataSource runtimeDataSource,
    DataSource dispatcherDataSource,
    StoreIdentity store,
    Contracts contracts,
    UUID workerId,
    int concurrency,
    Optional<Executor> executor,
    AcceptanceLimits acceptance,
    boolean wakesHosts,
    FenceSettings fences) {}
