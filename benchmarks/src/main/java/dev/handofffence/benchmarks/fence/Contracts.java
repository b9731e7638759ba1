package dev.handofffence.benchmarks.fence;

import dev.handofffence.CommandId;
import dev.handofffence.IdempotencyKey;
import dev.handofffence.ScopeId;
import dev.handofffence.StoreIdentity;
import dev.handofffence.benchmarks.server.Database;
import dev.handofffence.benchmarks.server.Query;
import dev.handofffence.work.PayloadCodecs;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkRequest;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.IntStream;

/** The one contract of the benchmarks. */
final class Contracts {

  static final WorkDefinition<String, String> JOB =
      WorkDefinition.named("bench.job", "v1")
          .payload(PayloadCodecs.text())
          .result(PayloadCodecs.text())
          .providerSafety(ProviderSafety.PROVIDER_KEYED)
          .build();

  private static final int USUAL_SCOPES = 10;

  private Contracts() {}

  static List<ScopeId> scopes() {
    return IntStream.range(0, Integer.getInteger("bench.scopes", USUAL_SCOPES))
        .mapToObj(number -> ScopeId.of("tenant-" + number))
        .toList();
  }

  static WorkRequest<String, String> request(ScopeId scope, String payload) {
    String id = id();
    return JOB.request(scope, CommandId.of(id), IdempotencyKey.of(id), payload);
  }

  /** Random keys lie anywhere in a large index; those that begin with a time lie together. */
  private static String id() {
    String random = UUID.randomUUID().toString();
    return Boolean.getBoolean("bench.orderedKeys")
        ? String.format(Locale.ROOT, "%016x", System.nanoTime()) + random.substring(16)
        : random;
  }

  /** Reads the store's identity, which a deployer would have configured. */
  static StoreIdentity store(Database database) throws SQLException {
    return StoreIdentity.of(
        UUID.fromString(Query.text(database, "SELECT store_id FROM durable.store")),
        UUID.fromString(Query.text(database, "SELECT active_epoch FROM durable.store")));
  }
}
