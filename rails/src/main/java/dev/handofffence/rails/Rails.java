package dev.handofffence.rails;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** All rails by name. */
final class Rails {

  /** The container's image; ContainerServer has the same one, with a test. */
  static final String DIGEST = "53f3e608f9475ce120ced2d0f430b89458d7faa28530e0b0977a6af64d294877";

  /**
   * Tests of what a pooler in transaction mode promises. Others listen or ask for settings of their
   * own session (most of HostWakeTest, acceptance), or count or cut connections of the server,
   * which the pooler keeps as it likes (HostStopTest, HostRestartTest, and the four methods at the
   * end).
   */
  private static final String POOLED_TESTS =
      "HandoffCallTest,HandoffOutcomeTest,RefusalOrderTest,SqlStateTest,AcceptanceMatrixTest,"
          + "PumpExitTest,PumpFenceTest,PumpPassTest,PumpTokenTest,ClaimRaceTest,StoppedPassTest,"
          + "HostLossTest,RecoveryTest,ContractTest,UnresolvedPermitTest,SendReceiptTest,"
          + "LedgerTest,TenantIsolationTest,HostWakeTest#hostThatDoesNotListen_polls,"
          + "!StoppedPassTest#otherIsolationLevel_doesNothing,"
          + "!StoppedPassTest#passThatFailsAfterItsFirstPermits_keepsToTheConcurrency,"
          + "!HostLossTest#readOnlyServer_isLeftForTheOneThatCanBeWritten,"
          + "!HostLossTest#hostThatIsClosedDuringAnOutage_stopsAllTheSame";

  private static final Versions VERSIONS = Versions.read();

  private static final List<Rail> ALL =
      List.of(
          new PackedRail(VERSIONS),
          new GettingStartedRail(VERSIONS),
          new JooqRail(VERSIONS),
          new PgjdbcRail(VERSIONS),
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
          new TestRail(
              "pgbouncer",
              List.of(
                  "-Dfence.test.pooler=pgbouncer",
                  "-Dtest=" + POOLED_TESTS,
                  "-Dsurefire.failIfNoSpecifiedTests=false"),
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

  private static void strict(RailRun run) {
    Conditions.noneSkipped(run);
    Conditions.everyServer(run, "kind", "testcontainers");
    Conditions.everyServer(run, "image", ".*@sha256:" + DIGEST);
  }
}
