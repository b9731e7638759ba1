package dev.handofffence.consumer;

/**
 * What the application asks to be sent.
 *
 * @param logicalOperation the effect that must happen at most once, whoever asks for it
 * @param authorityKey the permission it needs at the moment of sending
 * @param recipient where the provider sends it
 */
public record Receipt(String logicalOperation, String authorityKey, String recipient) {}
