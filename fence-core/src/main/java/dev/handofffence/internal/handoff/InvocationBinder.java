package dev.handofffence.internal.handoff;

import dev.handofffence.StoreIdentity;
import dev.handofffence.internal.claim.Claim;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.Objects;

/**
 * Makes the invocations of one runtime, for the pump alone (protocol section 5). On the module path
 * no application can name this class. On the class path it can, so the pump proves itself by a
 * {@link Lookup} with its private access: nobody else comes by one but through reflection, before
 * which nothing on the class path is safe.
 */
public final class InvocationBinder {

  /** By its name, because the pump depends on this package and not the other way round. */
  private static final String PUMP = "dev.handofffence.internal.pump.Preparation";

  private final StoreIdentity store;
  private final FenceSettings settings;

  private InvocationBinder(StoreIdentity store, FenceSettings settings) {
    this.store = Objects.requireNonNull(store, "store");
    this.settings = Objects.requireNonNull(settings, "settings");
  }

  /**
   * Opens the binder of a runtime.
   *
   * @param pump the pump's own lookup
   * @param store store and epoch that fences must find
   * @param settings shared by all fences of the runtime
   * @throws IllegalCallerException for the lookup of anybody else
   */
  public static InvocationBinder open(Lookup pump, StoreIdentity store, FenceSettings settings) {
    if (!isOfThePump(pump)) {
      throw new IllegalCallerException("Only the pump brings fences to life");
    }
    return new InvocationBinder(store, settings);
  }

  private static boolean isOfThePump(Lookup lookup) {
    Class<?> owner = lookup.lookupClass();
    return lookup.hasFullPrivilegeAccess()
        && owner.getName().equals(PUMP)
        && owner.getClassLoader() == InvocationBinder.class.getClassLoader();
  }

  /**
   * Prepares an invocation; its fence refuses until {@link Invocation#run}.
   *
   * @param claim the attempt that the fence speaks for
   */
  public Invocation prepare(Claim claim) {
    return new Invocation(claim, store, settings);
  }
}
