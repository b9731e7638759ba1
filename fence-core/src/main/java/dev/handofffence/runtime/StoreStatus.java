package dev.handofffence.runtime;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * What a store is, and whether its schema can be used.
 *
 * @param schema whether this version of the library can use it
 * @param storeId identity that the first migration gave the database, once it is readable
 * @param activeEpoch the epoch that authorises runtimes; empty until one is initialised
 * @param findings what is inconsistent, one sentence each; names of tables and triggers only
 * @param outstanding what is to be done in a schema that is ready before workers can run, one
 *     sentence each: grants that nobody has, an epoch; names of the library's own objects only
 */
public record StoreStatus(
    SchemaState schema,
    Optional<UUID> storeId,
    Optional<UUID> activeEpoch,
    List<String> findings,
    List<String> outstanding) {

  /**
   * Checks the values.
   *
   * @param schema whether this version of the library can use it
   * @param storeId identity that the first migration gave the database, once it is readable
   * @param activeEpoch the epoch that authorises runtimes; empty until one is initialised
   * @param findings what is inconsistent, one sentence each; names of tables and triggers only
   * @param outstanding what is to be done in a schema that is ready before workers can run, one
   *     sentence each: grants that nobody has, an epoch; names of the library's own objects only
   */
  public StoreStatus {
    Objects.requireNonNull(schema, "schema");
    Objects.requireNonNull(storeId, "storeId");
    Objects.requireNonNull(activeEpoch, "activeEpoch");
    findings = List.copyOf(findings);
    outstanding = List.copyOf(outstanding);
  }
}
