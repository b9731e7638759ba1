package dev.handofffence.internal.work;

import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import dev.handofffence.internal.sql.NewWork;
import dev.handofffence.work.WorkAcceptance;
import dev.handofffence.work.WorkRequest;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Encodes requests and refuses what needs no database to be refused (DUR100). */
final class RequestEncoder {

  private final AcceptanceLimits limits;
  private final TimeOrderedIds ids = new TimeOrderedIds(InstantSource.system());

  RequestEncoder(AcceptanceLimits limits) {
    this.limits = limits;
  }

  /** Returns the encoded requests by scope id, in the order in which scopes are locked. */
  SortedMap<String, List<NewWork>> encode(List<? extends WorkRequest<?, ?>> requests) {
    atMost(WorkAcceptance.MAX_BATCH_REQUESTS, requests.size(), "requests");
    SortedMap<String, List<NewWork>> byScope = new TreeMap<>();
    for (int position = 0; position < requests.size(); position++) {
      WorkRequest<?, ?> request = requests.get(position);
      byScope
          .computeIfAbsent(request.scope().value(), scope -> new ArrayList<>())
          .add(encode(position, request));
    }
    atMost(WorkAcceptance.MAX_BATCH_SCOPES, byScope.size(), "scopes");
    return byScope;
  }

  NewWork encodeOne(WorkRequest<?, ?> request) {
    return encode(0, request);
  }

  private NewWork encode(int position, WorkRequest<?, ?> request) {
    byte[] payload = payload(request);
    return new NewWork(
        position,
        request,
        ids.next(),
        ids.next(),
        payload,
        Fingerprint.ofPayload(payload),
        Fingerprint.of(request, payload));
  }

  private <P> byte[] payload(WorkRequest<P, ?> request) {
    byte[] payload = encoded(request);
    if (payload.length > limits.maxPayloadBytes()) {
      throw invalid(
          "payload of " + payload.length + " bytes; allowed are " + limits.maxPayloadBytes(), null);
    }
    return payload;
  }

  private static <P> byte[] encoded(WorkRequest<P, ?> request) {
    try {
      return request.definition().payloadCodec().encode(request.payload());
    } catch (Exception e) {
      throw invalid("the payload codec of " + request.definition() + " failed", e);
    }
  }

  private static void atMost(int limit, int count, String what) {
    if (count > limit) {
      throw invalid("batch of " + count + " " + what + "; allowed are " + limit, null);
    }
  }

  private static DurableException invalid(String observed, @Nullable Throwable cause) {
    return new DurableException(Problem.INVALID_REQUEST, observed, cause);
  }
}
