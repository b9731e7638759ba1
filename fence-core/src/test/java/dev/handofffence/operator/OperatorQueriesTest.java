package dev.handofffence.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handofffence.DurableException;
import dev.handofffence.ScopeId;
import dev.handofffence.StoreIdentity;
import dev.handofffence.WorkId;
import dev.handofffence.fixture.Attempt;
import dev.handofffence.operator.OperatorScene.At;
import dev.handofffence.runtime.WorkOperator;
import dev.handofffence.work.Page;
import dev.handofffence.work.PermitState;
import dev.handofffence.work.PermitView;
import dev.handofffence.work.ProviderSafety;
import dev.handofffence.work.ScopeState;
import dev.handofffence.work.ScopeView;
import dev.handofffence.work.SuspendReason;
import dev.handofffence.work.WorkDetails;
import dev.handofffence.work.WorkHistoryEntry;
import dev.handofffence.work.WorkQuery;
import dev.handofffence.work.WorkState;
import dev.handofffence.work.WorkView;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What operators see: bounded pages of scopes, Works and histories, one scope at a time. */
class OperatorQueriesTest {

  private final OperatorScene scene = new OperatorScene();
  private final ScopeId scope = OperatorScene.newScope();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void works_areListedInPagesWithoutGapsOrRepetitions() {
    List<WorkId> accepted = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      accepted.add(scene.accept(scope, ProviderSafety.PROVIDER_KEYED));
    }
    scene.accept(OperatorScene.newScope(), ProviderSafety.PROVIDER_KEYED);

    List<WorkId> listed = new ArrayList<>();
    WorkQuery query = WorkQuery.of(scope).limit(3);
    Page<WorkView, WorkId> page = scene.operator().works(query);
    while (true) {
      page.items().forEach(work -> listed.add(work.workId()));
      if (page.next().isEmpty()) {
        break;
      }
      page = scene.operator().works(query.after(page.next().get()));
    }

    assertThat(listed).containsExactlyInAnyOrderElementsOf(accepted).doesNotHaveDuplicates();
  }

  @Test
  void works_areFilteredByStateReasonAndContract() throws SQLException {
    WorkId ready = scene.accept(scope, ProviderSafety.PROVIDER_KEYED);
    WorkId permitted = scene.workAt(At.PERMITTED, scope, ProviderSafety.PROVIDER_KEYED);
    WorkId manual = scene.workAt(At.SUSPENDED_IN_DOUBT, scope, ProviderSafety.MANUAL_RESOLUTION);
    WorkId contract = scene.workAt(At.SUSPENDED_FOR_CONTRACT, scope, ProviderSafety.IDEMPOTENT);
    WorkId done = scene.workAt(At.SUCCEEDED, scope, ProviderSafety.IDEMPOTENT);
    WorkQuery all = WorkQuery.of(scope);

    assertThat(ids(all)).containsExactlyInAnyOrder(ready, permitted, manual, contract, done);
    assertThat(ids(all.inState(WorkState.READY))).containsExactly(ready);
    assertThat(ids(all.inState(WorkState.PERMITTED))).containsExactly(permitted);
    assertThat(ids(all.inState(WorkState.SUSPENDED))).containsExactlyInAnyOrder(manual, contract);
    assertThat(ids(all.suspendedFor(SuspendReason.MANUAL_RESOLUTION))).containsExactly(manual);
    assertThat(ids(all.inState(WorkState.SUCCEEDED))).containsExactly(done);
    assertThat(ids(all.inState(WorkState.FAILED))).isEmpty();
    assertThat(ids(all.ofContract("notes.send"))).hasSize(5);
    assertThat(ids(all.ofContract("notes.other"))).isEmpty();
  }

  @Test
  void rareMatch_endsThePageAtABoundAndGoesOn() throws SQLException {
    WorkId first = scene.workAt(At.SUCCEEDED, scope, ProviderSafety.PROVIDER_KEYED);
    scene.database.execute("ALTER TABLE durable.work DISABLE TRIGGER ALL");
    scene.database.execute(
        """
        INSERT INTO durable.work (scope_id, work_id, state, scope_generation, epoch)
        SELECT '%s', ('ffffffff-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid, 'failed', 1, gen_random_uuid()
        FROM generate_series(1, 10500) AS n
        """
            .formatted(scope.value()));

    Page<WorkView, WorkId> page =
        scene.operator().works(WorkQuery.of(scope).inState(WorkState.SUCCEEDED).limit(5));
    assertThat(page.items()).extracting(WorkView::workId).containsExactly(first);
    assertThat(page.next()).isPresent();

    Page<WorkView, WorkId> rest =
        scene
            .operator()
            .works(
                WorkQuery.of(scope)
                    .inState(WorkState.SUCCEEDED)
                    .limit(5)
                    .after(page.next().orElseThrow()));
    assertThat(rest.items()).isEmpty();
    assertThat(rest.next()).isEmpty();
  }

  @Test
  void work_isFoundWithItsPermitsAndHistory() throws SQLException {
    WorkId work = scene.workAt(At.SUSPENDED_IN_DOUBT, scope, ProviderSafety.MANUAL_RESOLUTION);

    WorkDetails details = scene.operator().find(scope, work).orElseThrow();

    assertThat(details.work().state()).isEqualTo(WorkState.SUSPENDED);
    assertThat(details.work().suspendReason()).contains(SuspendReason.MANUAL_RESOLUTION);
    assertThat(details.work().attempt()).isEqualTo(1);
    assertThat(details.work().mostAttempts()).isEqualTo(3);
    assertThat(details.work().dueAt()).isEmpty();
    assertThat(details.permits())
        .extracting(PermitView::state)
        .containsExactly(PermitState.UNRESOLVED);
    assertThat(details.history())
        .extracting(WorkHistoryEntry::event)
        .containsExactly("accepted", "claimed", "permitted", "suspended");
    assertThat(scene.operator().find(OperatorScene.newScope(), work)).isEmpty();
  }

  @Test
  void history_isReadInPages() throws SQLException {
    WorkId work = scene.workAt(At.SUSPENDED_IN_DOUBT, scope, ProviderSafety.MANUAL_RESOLUTION);

    Page<WorkHistoryEntry, Long> page = scene.operator().history(scope, work, 0, 3);
    Page<WorkHistoryEntry, Long> rest =
        scene.operator().history(scope, work, page.next().orElseThrow(), 3);

    assertThat(page.items())
        .extracting(WorkHistoryEntry::event)
        .containsExactly("accepted", "claimed", "permitted");
    assertThat(rest.items()).extracting(WorkHistoryEntry::event).containsExactly("suspended");
    assertThat(rest.next()).isEmpty();
  }

  @Test
  void scopes_areListedAcrossTenantsInPages() {
    for (String name : List.of("a", "b", "c")) {
      scene.accept(ScopeId.of(name), ProviderSafety.PROVIDER_KEYED);
    }

    Page<ScopeView, ScopeId> page = scene.operator().scopes(Optional.empty(), 2);
    Page<ScopeView, ScopeId> rest = scene.operator().scopes(page.next(), 2);

    assertThat(page.items())
        .extracting(view -> view.scope().value() + view.state() + view.generation())
        .containsExactly("aACTIVE1", "bACTIVE1");
    assertThat(rest.items()).extracting(ScopeView::state).containsExactly(ScopeState.ACTIVE);
    assertThat(rest.next()).isEmpty();
  }

  @Test
  void scopes_areListedByTheOperatorAlone() {
    String list = "SELECT * FROM durable.list_scopes('', 10)";

    assertThat(Attempt.of(scene.database.operator(), list)).isEqualTo(Attempt.OK);
    assertThat(Attempt.of(scene.database.runtime(), list)).isEqualTo("42501");
    assertThat(Attempt.of(scene.database.dispatcher(), list)).isEqualTo("42501");
    assertThat(Attempt.of(scene.database.retention(), list)).isEqualTo("42501");
    assertThat(Attempt.of(scene.database.operator(), "SELECT * FROM durable.list_scopes('', 1001)"))
        .isEqualTo("22023");
  }

  @Test
  void anotherEpoch_isAProblemOfReadingToo() {
    WorkOperator outdated =
        WorkOperator.of(
            scene.database.operator(),
            StoreIdentity.of(scene.store().storeId(), UUID.randomUUID()));

    assertThatThrownBy(() -> outdated.works(WorkQuery.of(scope)))
        .isInstanceOf(DurableException.class)
        .hasMessageContaining("DUR108");
  }

  /** An index with the state in its predicate would make every transition rewrite all indexes. */
  @Test
  void indexOfSuspendedWorks_leavesTransitionsAsCheapAsTheyWere() {
    WorkId work = scene.accept(scope, ProviderSafety.PROVIDER_KEYED);
    scene.database.execute(
        "UPDATE durable.work SET state = 'succeeded' WHERE work_id = '%s'; SELECT pg_stat_force_next_flush()"
            .formatted(work));

    assertThat(
            scene.database.ask(
                """
                SELECT n_tup_upd || ' updated, ' || n_tup_hot_upd || ' of them heap-only'
                FROM pg_stat_user_tables WHERE schemaname = 'durable' AND relname = 'work'
                """))
        .isEqualTo("1 updated, 1 of them heap-only");
  }

  private List<WorkId> ids(WorkQuery query) {
    return scene.operator().works(query).items().stream().map(WorkView::workId).toList();
  }
}
