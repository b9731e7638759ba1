package dev.handofffence.consumer;

/**
 * Result of a Work that was sent.
 *
 * @param providerReference the provider's own name for it
 */
public record ReceiptSent(String providerReference) {}
