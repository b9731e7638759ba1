package dev.handofffence.runtime;

import java.util.List;
import java.util.Objects;

/**
 * How a credential differs from the service role that it is meant for.
 *
 * @param role the service that was asked about
 * @param findings empty when the credential is restricted as it should be
 */
public record RoleReport(ServiceRole role, List<Finding> findings) {

  /**
   * Checks the values.
   *
   * @param role the service that was asked about
   * @param findings empty when the credential is restricted as it should be
   */
  public RoleReport {
    Objects.requireNonNull(role, "role");
    findings = List.copyOf(findings);
  }

  /** {@return whether the credential may do what it must, and nothing else} */
  public boolean isRestricted() {
    return findings.isEmpty();
  }

  /**
   * One difference.
   *
   * @param kind what kind of difference it is
   * @param detail what exactly, such as {@code DELETE on work_event}; names of the library's own
   *     objects, or of roles
   */
  public record Finding(Kind kind, String detail) {
    /**
     * Checks the values.
     *
     * @param kind what kind of difference it is
     * @param detail what exactly, such as {@code DELETE on work_event}; names of the library's own
     *     objects, or of roles
     */
    public Finding {
      Objects.requireNonNull(kind, "kind");
      Objects.requireNonNull(detail, "detail");
    }
  }

  /** Kinds of differences. */
  public enum Kind {
    /** It is SUPERUSER, or has BYPASSRLS, CREATEROLE or CREATEDB. */
    POWERFUL,
    /** It is a member of the owner, or of a role that is powerful or reads or writes everything. */
    MEMBER_OF_POWERFUL_ROLE,
    /** It owns an object of the schema. */
    OWNER,
    /** It may create objects in the schema. */
    CREATES_OBJECTS,
    /** It lacks a privilege that this version needs: run the grant script. */
    LACKS_GRANT,
    /** It has a privilege that its service does not need: run the grant script. */
    EXCESS_GRANT
  }
}
