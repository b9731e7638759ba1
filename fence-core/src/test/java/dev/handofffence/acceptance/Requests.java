package dev.handofffence.acceptance;

import dev.handofffence.CommandId;
import dev.handofffence.IdempotencyKey;
import dev.handofffence.ScopeId;
import dev.handofffence.work.PayloadCodecs;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.WorkDefinition;
import dev.handofffence.work.WorkRequest;
import java.util.List;
import java.util.stream.IntStream;

/** Requests that the tests of acceptance have in common. */
final class Requests {

  static final ScopeId SCOPE = ScopeId.of("tenant-1");

  static final WorkDefinition<String, String> SEND =
      WorkDefinition.named("receipts.send", "v1")
          .payload(PayloadCodecs.text())
          .result(PayloadCodecs.text())
          .providerSafety(ProviderSafety.PROVIDER_KEYED)
          .build();

  private Requests() {}

  static WorkRequest<String, String> request(String command, String key, String payload) {
    return request(SCOPE, command, key, payload);
  }

  static WorkRequest<String, String> request(
      ScopeId scope, String command, String key, String payload) {
    return SEND.request(scope, CommandId.of(command), IdempotencyKey.of(key), payload);
  }

  /** One request for each of so many scopes, backwards, so that order is not given by chance. */
  static List<WorkRequest<String, String>> inScopes(int scopes, String command) {
    return IntStream.range(0, scopes)
        .mapToObj(n -> scopes - 1 - n)
        .map(n -> request(ScopeId.of("scope-" + n), command, command, "payload " + n))
        .toList();
  }
}
