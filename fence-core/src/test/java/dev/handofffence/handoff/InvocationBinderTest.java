package dev.handofffence.handoff;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.StoreIdentity;
import dev.handofffence.internal.handoff.FenceSettings;
import dev.handofffence.internal.handoff.InvocationBinder;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * On the class path, where these tests run, every public class can be named: the binder is shut.
 */
class InvocationBinderTest {

  private static final StoreIdentity STORE =
      new StoreIdentity(UUID.randomUUID(), UUID.randomUUID());

  @Test
  void anApplicationsLookup_opensNothing() {
    assertIsShutTo(MethodHandles.lookup());
  }

  @Test
  void lookupThatAnApplicationHasTurnedToThePump_opensNothing() throws Exception {
    Class<?> pump = Class.forName("dev.handofffence.internal.pump.Preparation");
    assertIsShutTo(MethodHandles.lookup().in(pump));
    assertIsShutTo(MethodHandles.publicLookup().in(pump));
  }

  private static void assertIsShutTo(Lookup caller) {
    assertThatThrownBy(() -> InvocationBinder.open(caller, STORE, FenceSettings.anyEndpoint()))
        .isInstanceOf(IllegalCallerException.class);
  }
}
