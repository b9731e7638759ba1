package dev.handofffence.internal.sql;

/**
 * One effective privilege.
 *
 * @param object table or function of the schema
 * @param column empty for a privilege on the whole object
 */
public record Grant(String privilege, String object, String column) {}
