package dev.handofffence.soak;

import dev.handofffence.generated.type.WorkState;
import dev.handofffence.internal.state.WorkTransition;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What holds of every history, whatever happened. Each names the Works that break it. */
enum Invariant {
  NO_ACCEPTED_WORK_IS_LOST(
      """
      SELECT a.work_id FROM app.accepted a LEFT JOIN durable.work w USING (work_id)
      WHERE w.work_id IS NULL
      """),
  EVERY_WORK_HAS_ITS_SNAPSHOT_AND_IDENTITY(
      """
      SELECT w.work_id FROM durable.work w
      WHERE (SELECT count(*) FROM durable.work_snapshot s
             WHERE s.scope_id = w.scope_id AND s.work_id = w.work_id) <> 1
        OR (SELECT count(*) FROM durable.work_identity i
            WHERE i.scope_id = w.scope_id AND i.work_id = w.work_id) <> 1
      """),
  NOTHING_IS_LEFT_OF_A_WORK_THAT_IS_GONE( // no foreign key holds them together
      """
      SELECT DISTINCT r.work_id FROM (
        SELECT scope_id, work_id FROM durable.work_snapshot
        UNION ALL SELECT scope_id, work_id FROM durable.dispatch
        UNION ALL SELECT scope_id, work_id FROM durable.permit
        UNION ALL SELECT scope_id, work_id FROM durable.work_result
        UNION ALL SELECT scope_id, work_id FROM durable.work_event) r
      LEFT JOIN durable.work w USING (scope_id, work_id)
      WHERE w.work_id IS NULL
      """),
  RUNNABLE_WORK_CAN_BE_FOUND(
      """
      SELECT w.work_id FROM durable.work w LEFT JOIN durable.dispatch d USING (scope_id, work_id)
      WHERE (w.state IN ('ready', 'claimed', 'permitted')) <> (d.work_id IS NOT NULL)
      """),
  WORK_IN_DOUBT_CAN_BE_ASKED_ABOUT(
      """
      SELECT w.work_id FROM durable.work w JOIN durable.work_snapshot s USING (scope_id, work_id)
      LEFT JOIN durable.inquiry i USING (scope_id, work_id)
      WHERE (i.work_id IS NOT NULL)
        <> (coalesce(w.suspend_reason, '') IN ('reconciliation_required', 'ambiguous_outcome')
          AND s.provider_safety <> 'manual_resolution')
      """),
  NO_EFFECT_WITHOUT_A_PERMIT(
      """
      SELECT e.work_id FROM app.effect e LEFT JOIN durable.permit p USING (work_id, attempt)
      WHERE p.admitted_at IS NULL OR p.admitted_at > e.sent_at OR p.state = 'no_effect'
      """),
  NO_EFFECT_WITHOUT_A_HANDOFF(
      """
      SELECT e.work_id FROM app.effect e LEFT JOIN app.handoff h USING (work_id, attempt)
      WHERE h.prepared_at IS NULL OR h.prepared_at > e.sent_at
      """),
  NO_HANDOFF_BUT_WHILE_ITS_PERMIT_LIVES(
      """
      SELECT h.work_id FROM app.handoff h LEFT JOIN durable.permit p USING (work_id, attempt)
      WHERE p.admitted_at IS NULL OR h.prepared_at < p.admitted_at OR h.prepared_at >= p.settled_at
      """),
  NO_HANDOFF_BUT_IN_ITS_EPOCH(
      """
      SELECT h.work_id FROM app.handoff h JOIN durable.permit p USING (work_id, attempt)
      JOIN durable.epoch later ON later.previous_epoch = p.epoch
      WHERE h.prepared_at >= later.activated_at
      """),
  NO_HANDOFF_IN_A_DISABLED_SCOPE(
      """
      SELECT h.work_id FROM app.handoff h JOIN durable.permit p USING (work_id, attempt)
      JOIN durable.scope s ON s.scope_id = p.scope_id AND s.state = 'disabled'
      WHERE h.prepared_at >= s.changed_at
      """),
  NO_SECOND_EFFECT_WHERE_FORBIDDEN(
      """
      SELECT e.work_id FROM app.effect e JOIN durable.work_snapshot s USING (work_id)
      WHERE s.provider_safety IN ('reconcile_before_retry', 'manual_resolution')
      GROUP BY e.work_id HAVING count(*) > 1
      """),
  // Elsewhere an earlier permit may be proven to have been applied when a later one had no effect.
  NO_ATTEMPT_WHERE_AN_EARLIER_EFFECT_FORBIDS_IT(
      """
      SELECT earlier.work_id FROM durable.permit earlier
      JOIN durable.permit later USING (scope_id, work_id)
      JOIN durable.work_snapshot s USING (scope_id, work_id)
      WHERE later.lease_generation > earlier.lease_generation
        AND earlier.state <> 'no_effect'
        AND s.provider_safety IN ('reconcile_before_retry', 'manual_resolution')
      """),
  NO_SECOND_EFFECT_OF_ONE_ATTEMPT(
      "SELECT work_id FROM app.effect GROUP BY work_id, attempt HAVING count(*) > 1"),
  ONE_KEY_FOR_ALL_EFFECTS_OF_A_WORK(
      """
      SELECT e.work_id FROM app.effect e JOIN durable.work_snapshot s USING (work_id)
      WHERE e.activity_id <> s.activity_id
      """),
  NO_ATTEMPT_NUMBER_IS_USED_TWICE(
      """
      SELECT work_id FROM durable.work_history WHERE event = 'claimed'
      GROUP BY work_id, attempt HAVING count(*) > 1
      """),
  NO_LEASE_GENERATION_IS_USED_TWICE(
      """
      SELECT work_id FROM durable.work_history WHERE event = 'claimed'
      GROUP BY work_id, lease_generation HAVING count(*) > 1
      """),
  EVERY_PERMIT_BELONGS_TO_A_CLAIM(
      """
      SELECT p.work_id FROM durable.permit p LEFT JOIN durable.work_history h
        ON h.work_id = p.work_id AND h.event = 'claimed'
          AND h.attempt = p.attempt AND h.lease_generation = p.lease_generation
      WHERE h.work_id IS NULL
      """),
  FAILED_AND_CANCELED_PROVE_NO_EFFECT(
      """
      SELECT w.work_id FROM durable.work w WHERE w.state IN ('failed', 'canceled')
        AND (EXISTS (SELECT FROM app.effect e WHERE e.work_id = w.work_id)
          OR EXISTS (SELECT FROM durable.permit p
                     WHERE p.work_id = w.work_id AND p.state <> 'no_effect'))
      """),
  SUCCEEDED_PROVES_AN_EFFECT(
      """
      SELECT w.work_id FROM durable.work w WHERE w.state = 'succeeded'
        AND NOT EXISTS (SELECT FROM app.effect e WHERE e.work_id = w.work_id)
      """),
  WHAT_STAYS_SUSPENDED_IS_IN_DOUBT( // once the operators have decided all that they could
      """
      SELECT w.work_id FROM durable.work w WHERE w.state = 'suspended'
        AND NOT EXISTS (SELECT FROM durable.permit p
                        WHERE p.work_id = w.work_id AND p.state = 'unresolved')
      """),
  ONLY_A_PERMITTED_WORK_HAS_A_LIVE_PERMIT(
      """
      SELECT p.work_id FROM durable.permit p JOIN durable.work w USING (work_id)
      WHERE p.state IN ('granted', 'admitted')
        AND (w.state <> 'permitted' OR w.lease_generation <> p.lease_generation)
      """),
  REVISIONS_HAVE_NO_GAP(
      """
      SELECT work_id FROM (
        SELECT work_id, revision, row_number() OVER (PARTITION BY work_id ORDER BY revision) AS n
        FROM durable.work_history WHERE event <> 'quarantined') h
      WHERE revision <> n
      """),
  TRANSITIONS_ARE_LEGAL(
      """
      SELECT work_id FROM (
        SELECT work_id, event, state,
          coalesce(lag(state) OVER (PARTITION BY work_id ORDER BY revision), 'none') AS before
        FROM durable.work_history WHERE event <> 'quarantined') h
      WHERE NOT (event = 'accepted' AND before = 'none'
        OR event IN ('cancel_requested', 'epoch_released') AND before = state
        OR (event, before, state) IN (%s))
      """
          .formatted(legalTransitions())),
  HISTORY_ENDS_WHERE_THE_WORK_IS(
      """
      SELECT w.work_id FROM durable.work w WHERE NOT EXISTS (
        SELECT FROM durable.work_history h
        WHERE h.work_id = w.work_id AND h.revision = w.revision AND h.state = w.state
          AND h.suspend_reason IS NOT DISTINCT FROM w.suspend_reason AND h.event <> 'quarantined')
      """);

  private final String violations;

  Invariant(String violations) {
    this.violations = violations;
  }

  /** Returns the query for the Works that break it. */
  String violations() {
    return violations;
  }

  private static String legalTransitions() {
    return Arrays.stream(WorkTransition.values())
        .flatMap(
            t ->
                t.from().stream()
                    .map(
                        from ->
                            "('%s', '%s', '%s')".formatted(t.event(), text(from), text(t.to()))))
        .collect(Collectors.joining(", "));
  }

  private static String text(WorkState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }
}
