-- Work: its identity memory, its immutable acceptance snapshot, its state, its dispatch row, its permits, its history.
--
-- Rows of one Work name it without a foreign key, and CHECKs guard states and what must hold between columns, not the form of
-- single values: see docs/decisions/0007. Sets of texts are array constants, which cost a third of a list to set up.
SELECT durable.lock_exclusively(durable.epoch_lock_key(), interval '60 seconds');

-- Numbers the entries of the history, whichever table they are in: see the view durable.work_history. Without a cache: two
-- sessions that take turns at a Work would number its entries in another order than they were made.
CREATE SEQUENCE durable.work_history_entry AS bigint;

-- The state of one Work. Narrow, because every transition rewrites it; what never changes is in work_snapshot.
CREATE TABLE durable.work
(
    scope_id            text        NOT NULL,
    work_id             uuid        NOT NULL,
    state               text        NOT NULL DEFAULT 'ready',
    suspend_reason      text,
    revision            bigint      NOT NULL DEFAULT 1,
    attempt             integer     NOT NULL DEFAULT 0,
    permitted_attempts  integer     NOT NULL DEFAULT 0,
    extra_attempts      integer     NOT NULL DEFAULT 0,
    lease_generation    bigint      NOT NULL DEFAULT 0,
    lease_owner         uuid,
    scope_generation    bigint      NOT NULL,
    epoch               uuid        NOT NULL,
    cancel_requested_at timestamptz,
    deadline_at         timestamptz,
    CONSTRAINT work_pk PRIMARY KEY (scope_id, work_id),
    CONSTRAINT work_state_known CHECK (state = ANY
        ('{ready, claimed, permitted, suspended, succeeded, failed, canceled}')),
    CONSTRAINT work_suspend_reason_known CHECK (suspend_reason = ANY
        ('{ambiguous_outcome, reconciliation_required, manual_resolution, contract_unavailable, scope_disabled,
           epoch_changed}')),
    CONSTRAINT work_suspended_has_a_reason CHECK ((state = 'suspended') = (suspend_reason IS NOT NULL)),
    CONSTRAINT work_owned_has_an_owner CHECK ((state = ANY ('{claimed, permitted}')) = (lease_owner IS NOT NULL)),
    CONSTRAINT work_counters CHECK (permitted_attempts >= 0 AND attempt >= permitted_attempts
        AND lease_generation >= attempt AND revision >= 1 AND extra_attempts >= 0)
) WITH (fillfactor = 80);

COMMENT ON TABLE durable.work IS 'Current state of every accepted Work.';
COMMENT ON COLUMN durable.work.permitted_attempts IS 'Attempts that got a permit: those that the retry policy counts.';
COMMENT ON COLUMN durable.work.extra_attempts IS 'Attempts that operators allowed beyond the retry policy: numbers are '
    'never used twice, so an operator''s retry of an exhausted Work moves the limit instead.';

-- Bytes that never change: written once at acceptance, read once per claim.
CREATE TABLE durable.work_snapshot
(
    scope_id           text        NOT NULL,
    work_id            uuid        NOT NULL,
    activity_id        uuid        NOT NULL,
    contract_name      text        NOT NULL,
    contract_version   text        NOT NULL,
    payload_format     text        NOT NULL,
    payload            bytea       NOT NULL,
    payload_sha256     bytea       NOT NULL,
    provider_safety    text        NOT NULL,
    priority           smallint    NOT NULL,
    max_attempts       integer     NOT NULL,
    retry_initial      interval    NOT NULL,
    retry_maximum      interval    NOT NULL,
    elapsed_horizon    interval,
    lease_duration     interval    NOT NULL,
    lease_max_lifetime interval    NOT NULL,
    attempt_offsets    bigint[],
    circuit_duration   interval,
    accepted_at        timestamptz NOT NULL,
    entry              bigint      NOT NULL DEFAULT pg_catalog.nextval('durable.work_history_entry'),
    CONSTRAINT work_snapshot_pk PRIMARY KEY (scope_id, work_id),
    CONSTRAINT work_snapshot_safety_known CHECK (provider_safety = ANY
        ('{idempotent, provider_keyed, reconcile_before_retry, manual_resolution}')),
    CONSTRAINT work_snapshot_plan CHECK ((attempt_offsets IS NULL) = (circuit_duration IS NULL))
);

COMMENT ON COLUMN durable.work_snapshot.attempt_offsets IS 'Attempt plan: offsets from acceptance in microseconds.';

-- Remembers who was accepted, for longer than the Work itself is kept.
CREATE TABLE durable.work_identity
(
    scope_id        text        NOT NULL,
    command_id      text        NOT NULL,
    idempotency_key text        NOT NULL,
    fingerprint     bytea       NOT NULL,
    work_id         uuid        NOT NULL,
    activity_id     uuid        NOT NULL,
    accepted_at     timestamptz NOT NULL,
    CONSTRAINT work_identity_pk PRIMARY KEY (scope_id, command_id),
    CONSTRAINT work_identity_key_is_used_once UNIQUE (scope_id, idempotency_key)
);

-- With the facts of the success that brought it. Without them where an entry of its own in work_event says how the Work
-- came to succeed: by a proof, with who and why.
CREATE TABLE durable.work_result
(
    recorded_at      timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    entry            bigint,
    revision         bigint,
    lease_generation bigint,
    attempt          integer,
    work_id          uuid        NOT NULL,
    scope_id         text        NOT NULL,
    result_format    text        NOT NULL,
    result           bytea       NOT NULL,
    CONSTRAINT work_result_pk PRIMARY KEY (scope_id, work_id),
    CONSTRAINT work_result_success_is_whole CHECK (num_nulls(entry, revision, lease_generation, attempt) = ANY ('{0, 4}'))
);

-- What discovery reads, and the home of the lease. Present only while a Work is runnable or owned. Renewal updates
-- lease_expires_at alone: no key column, so that it passes while a handoff holds the row FOR KEY SHARE.
CREATE TABLE durable.dispatch
(
    scope_id         text        NOT NULL,
    work_id          uuid        NOT NULL,
    contract_name    text        NOT NULL,
    contract_version text        NOT NULL,
    priority         smallint    NOT NULL,
    due_at           timestamptz NOT NULL,
    lease_generation bigint      NOT NULL DEFAULT 0,
    lease_owner      uuid,
    leased_at        timestamptz,
    lease_expires_at timestamptz,
    CONSTRAINT dispatch_pk PRIMARY KEY (scope_id, work_id),
    CONSTRAINT dispatch_priority_range CHECK (priority BETWEEN 0 AND 9),
    CONSTRAINT dispatch_lease_is_whole CHECK (
        (lease_owner IS NULL) = (lease_expires_at IS NULL) AND (lease_owner IS NULL) = (leased_at IS NULL))
) WITH (fillfactor = 70);

CREATE INDEX dispatch_ready ON durable.dispatch (contract_name, contract_version, priority, due_at)
    INCLUDE (scope_id, work_id, lease_generation) WHERE lease_owner IS NULL;
CREATE INDEX dispatch_leased ON durable.dispatch (contract_name, contract_version, priority, lease_expires_at)
    INCLUDE (scope_id, work_id, lease_generation) WHERE lease_owner IS NOT NULL;

-- One row per claim that was allowed to reach the provider, committed before the provider is. What changes when it is
-- settled comes last: of an update, only what lies between equal beginnings and ends is logged.
CREATE TABLE durable.permit
(
    lease_generation bigint      NOT NULL,
    scope_generation bigint      NOT NULL,
    revision         bigint      NOT NULL,
    entry            bigint      NOT NULL DEFAULT pg_catalog.nextval('durable.work_history_entry'),
    granted_at       timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    admitted_at      timestamptz,
    attempt          integer     NOT NULL,
    lease_owner      uuid        NOT NULL,
    epoch            uuid        NOT NULL,
    work_id          uuid        NOT NULL,
    scope_id         text        NOT NULL,
    state            text        NOT NULL DEFAULT 'granted',
    settled_at       timestamptz,
    CONSTRAINT permit_pk PRIMARY KEY (scope_id, work_id, lease_generation),
    CONSTRAINT permit_state_known CHECK (state = ANY ('{granted, admitted, no_effect, applied, unresolved}')),
    CONSTRAINT permit_admitted_has_a_time CHECK (state <> 'admitted' OR admitted_at IS NOT NULL),
    CONSTRAINT permit_settled_has_a_time CHECK ((state = ANY ('{granted, admitted}')) = (settled_at IS NULL))
) WITH (fillfactor = 80);

COMMENT ON COLUMN durable.permit.revision IS 'Of the Work that was permitted by it.';

-- Every transition that no other row tells of, every operator's evidence, every late result that was kept out of the Work.
CREATE TABLE durable.work_event
(
    entry            bigint      NOT NULL DEFAULT pg_catalog.nextval('durable.work_history_entry'),
    recorded_at      timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    revision         bigint      NOT NULL,
    lease_generation bigint      NOT NULL,
    attempt          integer     NOT NULL,
    work_id          uuid        NOT NULL,
    scope_id         text        NOT NULL,
    event            text        NOT NULL,
    state            text        NOT NULL,
    suspend_reason   text,
    code             text,
    actor            text,
    reason           text,
    CONSTRAINT work_event_pk PRIMARY KEY (scope_id, work_id, entry),
    CONSTRAINT work_event_state_known CHECK (state = ANY
        ('{ready, claimed, permitted, suspended, succeeded, failed, canceled}'))
);

-- The whole history of every Work, see docs/decisions/0011. Acceptance, permit and success write a row that never changes
-- in what it says of them; an event of their own would say it again. Read with the rights of whoever asks.
CREATE VIEW durable.work_history WITH (security_invoker = true) AS
SELECT e.scope_id, e.work_id, e.entry, e.recorded_at, e.event, e.revision, e.state, e.suspend_reason, e.attempt,
       e.lease_generation, e.code, e.actor, e.reason
FROM durable.work_event e
UNION ALL
SELECT s.scope_id, s.work_id, s.entry, s.accepted_at, 'accepted', 1, 'ready', NULL, 0, 0, NULL, NULL, NULL
FROM durable.work_snapshot s
UNION ALL
SELECT p.scope_id, p.work_id, p.entry, p.granted_at, 'permitted', p.revision, 'permitted', NULL, p.attempt,
       p.lease_generation, NULL, NULL, NULL
FROM durable.permit p
UNION ALL
SELECT r.scope_id, r.work_id, r.entry, r.recorded_at, 'succeeded', r.revision, 'succeeded', NULL, r.attempt,
       r.lease_generation, NULL, NULL, NULL
FROM durable.work_result r
WHERE r.entry IS NOT NULL;

COMMENT ON VIEW durable.work_history IS 'Append-only history of every Work: every entry once, wherever it is kept.';

CREATE TABLE durable.operator_command
(
    scope_id           text        NOT NULL,
    command_id         text        NOT NULL,
    fingerprint        bytea       NOT NULL,
    kind               text        NOT NULL,
    work_id            uuid,
    expected_revision  bigint,
    actor              text        NOT NULL,
    reason             text        NOT NULL,
    outcome            text        NOT NULL,
    resulting_revision bigint,
    performed_at       timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    CONSTRAINT operator_command_pk PRIMARY KEY (scope_id, command_id),
    CONSTRAINT operator_command_id_length CHECK (length(command_id) BETWEEN 1 AND 200),
    CONSTRAINT operator_command_fingerprint_length CHECK (octet_length(fingerprint) = 32),
    CONSTRAINT operator_command_kind_form CHECK (kind ~ '^[a-z_]{1,60}$'),
    CONSTRAINT operator_command_actor_length CHECK (length(actor) BETWEEN 1 AND 200),
    CONSTRAINT operator_command_reason_length CHECK (length(reason) BETWEEN 1 AND 2000)
);

-- Running worker hosts. The row outlives its process: the next one with this id takes it over, once this one has
-- stopped or has not reported for a while. While a host listens for notifications and has nothing to do, it says
-- until when that is to be believed; acceptance notifies only then.
CREATE TABLE durable.worker
(
    worker_id          uuid        NOT NULL,
    incarnation        uuid        NOT NULL,
    display_name       text        NOT NULL,
    epoch              uuid        NOT NULL,
    started_at         timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    heartbeat_at       timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    idle_until         timestamptz,
    drain_requested_at timestamptz,
    stopped_at         timestamptz,
    CONSTRAINT worker_pk PRIMARY KEY (worker_id),
    CONSTRAINT worker_display_name_length CHECK (length(display_name) BETWEEN 1 AND 200)
);

-- Every acceptance asks for an idle host; rows of hosts long gone must not make that dearer.
CREATE INDEX worker_idle ON durable.worker (idle_until) WHERE idle_until IS NOT NULL;

-- No one rewrites what the history is read from, not even the owner.
CREATE TRIGGER work_event_is_not_rewritten
    BEFORE UPDATE OR TRUNCATE ON durable.work_event
    FOR EACH STATEMENT EXECUTE FUNCTION durable.refuse_change();
CREATE TRIGGER work_result_is_not_rewritten
    BEFORE UPDATE OR TRUNCATE ON durable.work_result
    FOR EACH STATEMENT EXECUTE FUNCTION durable.refuse_change();
CREATE TRIGGER permit_facts_are_not_rewritten
    BEFORE UPDATE OF lease_generation, scope_generation, revision, entry, granted_at, attempt, lease_owner, epoch, work_id,
        scope_id ON durable.permit
    FOR EACH STATEMENT EXECUTE FUNCTION durable.refuse_change();
CREATE TRIGGER permit_is_not_truncated
    BEFORE TRUNCATE ON durable.permit
    FOR EACH STATEMENT EXECUTE FUNCTION durable.refuse_change();
CREATE TRIGGER work_snapshot_is_immutable
    BEFORE UPDATE OR TRUNCATE ON durable.work_snapshot
    FOR EACH STATEMENT EXECUTE FUNCTION durable.refuse_change();

DO
$$
    DECLARE
        scope_owned text;
    BEGIN
        FOREACH scope_owned IN ARRAY ARRAY ['work', 'work_snapshot', 'work_identity', 'work_result', 'dispatch',
            'permit', 'work_event', 'operator_command']
            LOOP
                EXECUTE format('ALTER TABLE durable.%I ENABLE ROW LEVEL SECURITY', scope_owned);
                EXECUTE format('ALTER TABLE durable.%I FORCE ROW LEVEL SECURITY', scope_owned);
                EXECUTE format('CREATE POLICY scope_isolation ON durable.%I '
                    'USING (scope_id = nullif(current_setting(''durable.scope_id'', true), ''''))', scope_owned);
                EXECUTE format('CREATE POLICY scopes_of_a_batch ON durable.%I '
                    'USING (strpos('','' || current_setting(''durable.scope_ids'', true) || '','', '','' || scope_id || '','') > 0)',
                    scope_owned);
            END LOOP;
    END
$$;
