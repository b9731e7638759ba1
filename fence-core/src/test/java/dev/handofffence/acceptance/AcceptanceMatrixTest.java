package dev.handofffence.acceptance;

import static dev.handofffence.acceptance.Requests.request;

import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.internal.work.Acceptance;
import dev.handofffence.internal.work.AcceptanceLimits;
import dev.handofffence.work.AcceptedWork;
import dev.handofffence.work.WorkAcceptance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Command id and idempotency key, each unknown, known with the same content or known with another.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AcceptanceMatrixTest {

  private final DurableDatabase database = DurableDatabase.create();
  private final WorkAcceptance acceptance =
      new Acceptance(database.store(), database.runtime(), AcceptanceLimits.standard());

  @Test
  void x() {
    AcceptedWork a = acceptance.accept(request("c1", "k1", "hello")).orElseThrow();
    AcceptedWork b = acceptance.accept(request("c1", "k1", "hello")).orElseThrow();
    System.out.println(a + " " + b);
    System.out.println(acceptance.accept(request("c1", "k1", "hellx")));
  }
}
