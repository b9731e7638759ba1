package dev.handofffence.benchmarks.jmh;

import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A statement whose parameters have names, as JDBC takes it.
 *
 * @param sql with question marks
 * @param names in the order of the question marks
 */
record NamedParameters(String sql, List<String> names) {

  /** A colon and a name; two colons are a cast. */
  private static final Pattern NAME = Pattern.compile("(?<!:):([a-zA-Z]+)");

  static NamedParameters of(String named) {
    List<String> names =
        NAME.matcher(named).results().map((MatchResult match) -> match.group(1)).toList();
    return new NamedParameters(NAME.matcher(named).replaceAll("?"), names);
  }

  List<Object> values(Map<String, Object> byName) {
    return names.stream().map(byName::get).toList();
  }
}
