package dev.handofffence.internal.sql;

/** One setting with where PostgreSQL has it from. */
public record HostSetting(String name, String value, String source) {}
