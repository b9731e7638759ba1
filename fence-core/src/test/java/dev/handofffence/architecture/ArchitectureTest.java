package dev.handofffence.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.handofffence.CancellationSource;
import dev.handofffence.runtime.DurableRuntimeBuilder;
import dev.handofffence.runtime.StoreAdministration;
import dev.handofffence.runtime.StoreRetention;
import dev.handofffence.runtime.WorkOperator;
import java.sql.Connection;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.Set;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;

/** What a package may know, and what only one package may do. */
@AnalyzeClasses(
    packages = "dev.handofffence",
    importOptions = {
      ImportOption.DoNotIncludeTests.class,
      ArchitectureTest.OnlyTheLibrary.class,
    })
class ArchitectureTest {

  private static final String BASE = "dev.handofffence";
  private static final String INTERNAL = BASE + ".internal..";

  /** The generated types and the test helpers share the base package's name. */
  static final class OnlyTheLibrary implements ImportOption {
    @Override
    public boolean includes(com.tngtech.archunit.core.importer.Location location) {
      return !location.contains("/generated/") && !location.contains("/testing/");
    }
  }

  /** They build internal parts; nothing else that is public knows of any. */
  private static final DescribedPredicate<JavaClass> ENTRY_POINTS =
      JavaClass.Predicates.belongToAnyOf(
          DurableRuntimeBuilder.class,
          StoreAdministration.class,
          StoreRetention.class,
          WorkOperator.class);

  @ArchTest
  static final ArchRule exportedPackages_knowNothingOfInternalOnes =
      noClasses()
          .that(resideOutsideOfPackage(INTERNAL).and(DescribedPredicate.not(ENTRY_POINTS)))
          .should()
          .dependOnClassesThat(resideInAPackage(INTERNAL));

  @ArchTest
  static final ArchRule packages_haveNoCycles =
      slices()
          .matching("dev.(**)")
          .should()
          .beFreeOfCycles()
          .ignoreDependency(ENTRY_POINTS, resideInAPackage(INTERNAL));

  @ArchTest
  static final ArchRule internalPackages_dependInOneDirection =
      layeredArchitecture()
          .consideringOnlyDependenciesInAnyPackage(INTERNAL)
          .layer("pump")
          .definedBy(BASE + ".internal.pump..")
          .layer("operations")
          .definedBy(
              BASE + ".internal.handoff..",
              BASE + ".internal.work..",
              BASE + ".internal.presence..",
              BASE + ".internal.administration..",
              BASE + ".internal.operator..")
          .layer("resources")
          .definedBy(BASE + ".internal.transaction..", BASE + ".internal.thread..")
          .layer("sql")
          .definedBy(BASE + ".internal.sql..")
          .layer("values")
          .definedBy(
              BASE + ".internal.log..",
              BASE + ".internal.claim..",
              BASE + ".internal.state..",
              BASE + ".internal.store..")
          .whereLayer("pump")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("operations")
          .mayOnlyBeAccessedByLayers("pump")
          .whereLayer("resources")
          .mayOnlyBeAccessedByLayers("pump", "operations")
          .whereLayer("sql")
          .mayOnlyBeAccessedByLayers("pump", "operations", "resources");

  @ArchTest
  static final ArchRule sql_isWrittenInOnePackage =
      noClasses()
          .that()
          .resideOutsideOfPackage(BASE + ".internal.sql..")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("org.jooq.impl.DSL")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("org.jooq.DSLContext")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.sql.PreparedStatement")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.sql.Statement");

  /** Compiled with one version of jOOQ they do not link with another; Existence stands in. */
  @ArchTest
  static final ArchRule methodsThatJooqHasChanged_areNotCalled =
      noClasses()
          .should()
          .accessTargetWhere(
              DescribedPredicate.describe(
                  "is exists or notExists of DSL",
                  access ->
                      access.getTargetOwner().getFullName().equals("org.jooq.impl.DSL")
                          && isOneOf(access, "exists", "notExists")));

  @ArchTest
  static final ArchRule transactions_beginAndEndInOnePackage =
      noClasses()
          .that()
          .resideOutsideOfPackage(BASE + ".internal.transaction..")
          .should()
          .callMethod(Connection.class, "commit")
          .orShould()
          .callMethod(Connection.class, "rollback")
          .orShould()
          .callMethod(Connection.class, "setAutoCommit", boolean.class)
          .orShould()
          .callMethod(Connection.class, "setSavepoint");

  /** CancellationSource borrows the JVM's common pool for its time-out and starts no thread. */
  @ArchTest
  static final ArchRule threads_startInOnePackage =
      noClasses()
          .that()
          .resideOutsideOfPackage(BASE + ".internal.thread..")
          .and()
          .areNotAssignableTo(CancellationSource.class)
          .should()
          .accessTargetWhere(startsAThread());

  @ArchTest
  static final ArchRule theDatabasesClock_isTheOnlyOne =
      noClasses().should().accessTargetWhere(readsTheJvmsClock());

  @ArchTest
  static final ArchRule classes_areFinalUnlessMadeToBeExtended =
      classes()
          .that()
          .areTopLevelClasses()
          .and()
          .areNotInterfaces()
          .and()
          .areNotEnums()
          .and()
          .areNotAssignableTo(RuntimeException.class)
          .should()
          .haveModifier(com.tngtech.archunit.core.domain.JavaModifier.FINAL);

  private static DescribedPredicate<JavaAccess<?>> startsAThread() {
    Set<Class<?>> starters =
        Set.of(
            Thread.class,
            Executors.class,
            ThreadPoolExecutor.class,
            ScheduledThreadPoolExecutor.class,
            ForkJoinPool.class,
            Timer.class);
    return DescribedPredicate.describe(
        "starts a thread",
        access ->
            (starters.stream().anyMatch(s -> access.getTargetOwner().isEquivalentTo(s))
                    && isOneOf(access, "<init>", "start", "commonPool", "newCachedThreadPool"))
                || (access.getTargetOwner().isEquivalentTo(CompletableFuture.class)
                    && access.getTarget().getName().endsWith("Async"))
                || access.getTargetOwner().isEquivalentTo(Executors.class));
  }

  private static DescribedPredicate<JavaAccess<?>> readsTheJvmsClock() {
    Set<Class<?>> clocks =
        Set.of(
            Instant.class,
            LocalDateTime.class,
            OffsetDateTime.class,
            ZonedDateTime.class,
            Clock.class);
    return DescribedPredicate.describe(
        "reads the JVM's clock",
        access ->
            (clocks.stream().anyMatch(c -> access.getTargetOwner().isEquivalentTo(c))
                    && isOneOf(access, "now", "systemUTC", "systemDefaultZone", "tick"))
                || (access.getTargetOwner().isEquivalentTo(System.class)
                    && isOneOf(access, "currentTimeMillis"))
                || (access.getTargetOwner().isEquivalentTo(Date.class)
                    && isOneOf(access, "<init>")));
  }

  private static boolean isOneOf(JavaAccess<?> access, String... names) {
    return Set.of(names).contains(access.getTarget().getName());
  }
}
