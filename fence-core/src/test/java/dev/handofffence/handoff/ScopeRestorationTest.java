package dev.handofffence.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.handofffence.CancellationToken;
import dev.handofffence.fixture.CallerSession;
import dev.handofffence.fixture.PermittedWork;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The fence lends its Work's scope to the callback and gives the caller its own back, however the
 * call ends: a connection goes back to its pool without another tenant's scope on it.
 */
class ScopeRestorationTest extends HandoffScene {

  /** What the caller had set before the call. */
  enum Prior {
    NONE("SELECT 1", "", ""),
    EMPTY("SET LOCAL durable.scope_id = ''", "", ""),
    OTHER("SET LOCAL durable.scope_id = 'tenant-a'", "tenant-a", ""),
    OTHER_OF_THE_SESSION("SET durable.scope_id = 'tenant-a'", "tenant-a", "tenant-a");

    private final String sql;
    private final String scope;
    private final String scopeAfterCommit;

    Prior(String sql, String scope, String scopeAfterCommit) {
      this.sql = sql;
      this.scope = scope;
      this.scopeAfterCommit = scopeAfterCommit;
    }
  }

  static Stream<Arguments> priorsAndEndings() {
    return Stream.of(Prior.values())
        .flatMap(prior -> Stream.of(Ending.values()).map(end -> Arguments.of(prior, end)));
  }

  @ParameterizedTest
  @MethodSource("priorsAndEndings")
  void scope_isTheCallersAgain(Prior prior, Ending ending) throws Exception {
    caller.execute(prior.sql);

    ending.reach(database, work, caller.connection(), prior + " " + ending);

    assertThat(caller.scope()).isEqualTo(prior.scope);
    caller.commit();
    assertThat(caller.scope()).isEqualTo(prior.scopeAfterCommit);
  }

  @ParameterizedTest
  @EnumSource
  void pooledConnectionReusedThreeTimes_neverCarriesAScopeOver(Ending ending) throws Exception {
    Set<Integer> backends = new HashSet<>();
    try (HikariDataSource pool = poolOfOne()) {
      for (int use = 1; use <= 3; use++) {
        try (CallerSession pooled = CallerSession.open(pool)) {
          assertThat(pooled.scope()).isEmpty();
          ending.reach(
              database, PermittedWork.create(database), pooled.connection(), ending + " " + use);
          assertThat(pooled.scope()).isEmpty();
          pooled.commit();
          backends.add(pooled.backend());
        }
      }
    }
    assertThat(backends).hasSize(1);
  }

  /** It is the value that the fence has set, so nothing tells it from the fence's own. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void callbackThatSetsTheWorksScopeForTheSession_doesNotLeaveItThere(boolean commits)
      throws Exception {
    for (Prior prior : new Prior[] {Prior.NONE, Prior.EMPTY}) {
      caller.execute(prior.sql);
      work.handOff(
          caller.connection(),
          (tx, token) -> {
            caller.execute("SET durable.scope_id = '" + work.scopeId() + "'");
            return true;
          },
          CancellationToken.none());
      assertThat(caller.scope()).isEmpty();
      caller.execute(commits ? "COMMIT" : "ROLLBACK");
      assertThat(caller.scope()).isEmpty();
      caller.commit();
    }
  }

  @ParameterizedTest
  @EnumSource
  void scope_isTheSessionsAgainAfterTheCallersRollback(Ending ending) throws Exception {
    for (Prior prior : Prior.values()) {
      caller.execute(prior.sql);
      caller.commit();
      ending.reach(
          database,
          PermittedWork.create(database),
          caller.connection(),
          "rollback " + prior + " " + ending);
      caller.connection().rollback();
      assertThat(caller.scope()).isEqualTo(prior.scopeAfterCommit);
      caller.commit();
    }
  }

  @Test
  void scope_isTheWorksDuringTheCallback() throws Exception {
    caller.execute(Prior.OTHER.sql);
    work.handOff(
        caller.connection(),
        (tx, token) -> {
          assertThat(caller.scope()).isEqualTo(work.scopeId());
          return true;
        },
        CancellationToken.none());
  }

  private HikariDataSource poolOfOne() {
    HikariConfig config = new HikariConfig();
    config.setDataSource(database.runtime());
    config.setMaximumPoolSize(1);
    config.setAutoCommit(false);
    return new HikariDataSource(config);
  }
}
