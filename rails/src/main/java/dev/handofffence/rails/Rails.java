package dev.handofffence.rails;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All rails by name. */
final class Rails {

  /** The container's image; ContainerServer has the same one, with a test. */
  static final String DIGEST = "53f3e608f9475ce120ced2d0f430b89458d7faa28530e0b0977a6af64d294877";

  private static final Versions VERSIONS = Versions.read();

  private static final List<Rail> ALL =
      List.of(
          new PackedRail(VERSIONS),
          new GettingStartedRail(VERSIONS),
          new ReproducibleRail(),
          new TestRail("ordinary", List.of(), false, () -> {}, run -> {}),
          new TestRail(
              "strict",
              List.of("-Dfence.test.server=testcontainers"),
              true,
              Docker::need,
              Rails::strict),
          embedded("pg16", "16"),
          embedded("pg17", "17"),
          embedded("pg18", "18"),
          jooq("jooq-newest", "jooq.version"),
          jooq("jooq-generated-by-newest", "jooq.codegen.version"),
          new TestRail(
              "pgjdbc-oldest",
              List.of("-Dpostgresql.version=" + VERSIONS.get("pgjdbc.oldest.version")),
              false,
              () -> {},
              run -> {}),
          new TestRail(
              "pgbouncer",
              List.of("-Dfence.test.pooler=pgbouncer"),
              false,
              () -> Conditions.needProgram("pgbouncer", "--version"),
              run -> Conditions.everyServer(run, "pooler", "PgBouncer .*")));

  private Rails() {}

  static Rail named(String name) {
    return ALL.stream()
        .filter(rail -> rail.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new RailException("no rail '" + name + "'; there are " + names()));
  }

  static String names() {
    return ALL.stream().map(Rail::name).collect(Collectors.joining(", "));
  }

  private static Rail embedded(String profile, String version) {
    Consumer<RailRun> isEmbedded =
        run -> Conditions.everyServer(run, "version", "PostgreSQL " + version + "\\..*");
    return new TestRail(profile, List.of("-P" + profile), true, () -> {}, isEmbedded);
  }

  /** The newest jOOQ in one place and the oldest supported one in the other. */
  private static Rail jooq(String name, String newest) {
    List<String> arguments =
        Stream.of("jooq.version", "jooq.codegen.version")
            .map(property -> "-D" + property + '=' + jooqVersion(property.equals(newest)))
            .toList();
    return new TestRail(name, arguments, false, () -> Conditions.needJdk(21), run -> {});
  }

  private static String jooqVersion(boolean newest) {
    return VERSIONS.get(newest ? "jooq.newest.version" : "jooq.version");
  }

  private static void strict(RailRun run) {
    Conditions.noneSkipped(run);
    Conditions.everyServer(run, "kind", "testcontainers");
    Conditions.everyServer(run, "image", ".*@sha256:" + DIGEST);
  }
}
