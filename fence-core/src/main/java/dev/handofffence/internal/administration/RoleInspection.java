package dev.handofffence.internal.administration;

import dev.handofffence.DurableException;
import dev.handofffence.Problem;
import dev.handofffence.internal.sql.AdministrationTrips;
import dev.handofffence.internal.sql.ExpectedGrants;
import dev.handofffence.internal.sql.Grant;
import dev.handofffence.internal.sql.RoleFacts;
import dev.handofffence.internal.transaction.AutocommitConnection;
import dev.handofffence.runtime.RoleReport;
import dev.handofffence.runtime.RoleReport.Finding;
import dev.handofffence.runtime.RoleReport.Kind;
import dev.handofffence.runtime.ServiceRole;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** Compares a credential with the service role that it is meant for. */
public final class RoleInspection {

  private RoleInspection() {}

  public static RoleReport of(ServiceRole role, DataSource credential) {
    RoleFacts facts =
        AutocommitConnection.with(credential, "Looking at the role", RoleInspection::facts);
    List<Finding> findings = new ArrayList<>();
    add(findings, Kind.POWERFUL, facts.powers());
    add(findings, Kind.MEMBER_OF_POWERFUL_ROLE, facts.memberships());
    add(findings, Kind.OWNER, facts.owned());
    add(findings, Kind.CREATES_OBJECTS, facts.creates());
    Set<Grant> expected = expected(role);
    add(findings, Kind.LACKS_GRANT, texts(without(expected, facts.grants())));
    add(findings, Kind.EXCESS_GRANT, texts(without(facts.grants(), expected)));
    return new RoleReport(role, findings);
  }

  /** Without a schema there is nothing that a role could lack. */
  private static RoleFacts facts(Connection connection) throws SQLException {
    if (AdministrationTrips.columns(connection).isEmpty()) {
      throw new DurableException(Problem.SCHEMA_MISSING);
    }
    return AdministrationTrips.role(connection);
  }

  private static Set<Grant> expected(ServiceRole role) {
    return switch (role) {
      case DISPATCHER -> ExpectedGrants.dispatcher();
      case RUNTIME -> ExpectedGrants.runtime();
      case OPERATOR -> ExpectedGrants.operator();
      case RETENTION -> ExpectedGrants.retention();
    };
  }

  private static Set<Grant> without(Set<Grant> grants, Set<Grant> others) {
    Set<Grant> difference = new HashSet<>(grants);
    difference.removeAll(others);
    return difference;
  }

  /** One text for each privilege on each object, with its columns. */
  private static Collection<String> texts(Set<Grant> grants) {
    Map<String, String> columns =
        grants.stream()
            .sorted((a, b) -> a.column().compareTo(b.column()))
            .collect(
                Collectors.groupingBy(
                    grant -> grant.privilege() + " on " + grant.object(),
                    TreeMap::new,
                    Collectors.mapping(Grant::column, Collectors.joining(", "))));
    List<String> texts = new ArrayList<>();
    columns.forEach(
        (grant, names) -> texts.add(names.isEmpty() ? grant : grant + " (" + names + ")"));
    return texts;
  }

  private static void add(List<Finding> findings, Kind kind, Collection<String> details) {
    details.forEach(detail -> findings.add(new Finding(kind, detail)));
  }
}
