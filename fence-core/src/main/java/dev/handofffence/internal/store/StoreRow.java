package dev.handofffence.internal.store;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The store's own row, as read under the epoch lock. */
public record StoreRow(
    UUID storeId,
    @Nullable UUID activeEpoch,
    int schemaVersion,
    int oldestReader,
    int oldestWriter) {}
