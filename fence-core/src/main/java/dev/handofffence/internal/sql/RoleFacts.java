package dev.handofffence.internal.sql;

import java.util.List;
import java.util.Set;

/**
 * What a session's role is and may do.
 *
 * @param powers attributes such as SUPERUSER, with the role that has them
 * @param memberships powerful roles that it is a member of
 * @param owned objects of the schema that it owns
 * @param creates where it may create objects
 */
public record RoleFacts(
    List<String> powers,
    List<String> memberships,
    List<String> owned,
    List<String> creates,
    Set<Grant> grants) {}
