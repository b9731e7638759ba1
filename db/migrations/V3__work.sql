-- Work: its identity memory, its immutable acceptance snapshot, its state, its dispatch row, its permits, its history.
--
-- Rows of one Work name it without a foreign key, and CHECKs guard states and what must hold between columns, not the form of
-- single values: see docs/decisions/0007. Sets of texts are array constants, which cost a third of a list to set up.
SELECT durable.lock_exclusively(durable.epoch_lock_key(), interval '60 seconds');

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

CREATE TABLE durable.work_result
(
    scope_id      text        NOT NULL,
    work_id       uuid        NOT NULL,
    result_format text        NOT NULL,
    result        bytea       NOT NULL,
    recorded_at   timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    CONSTRAINT work_result_pk PRIMARY KEY (scope_id, work_id)
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

-- One row per claim that was allowed to reach the provider, committed before the provider is.
CREATE TABLE durable.permit
(
    scope_id         text        NOT NULL,
    work_id          uuid        NOT NULL,
    lease_generation bigint      NOT NULL,
    attempt          integer     NOT NULL,
    lease_owner      uuid        NOT NULL,
    scope_generation bigint      NOT NULL,
    epoch            uuid        NOT NULL,
    state            text        NOT NULL DEFAULT 'granted',
    granted_at       timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    admitted_at      timestamptz,
    settled_at       timestamptz,
    CONSTRAINT permit_pk PRIMARY KEY (scope_id, work_id, lease_generation),
    CONSTRAINT permit_state_known CHECK (state = ANY ('{granted, admitted, no_effect, applied, unresolved}')),
    CONSTRAINT permit_admitted_has_a_time CHECK (state <> 'admitted' OR admitted_at IS NOT NULL),
    CONSTRAINT permit_settled_has_a_time CHECK ((state = ANY ('{granted, admitted}')) = (settled_at IS NULL))
) WITH (fillfactor = 80);

-- Every transition, every operator's evidence, every late result that was kept out of the Work.
CREATE TABLE durable.work_history
(
    scope_id         text        NOT NULL,
    work_id          uuid        NOT NULL,
    entry            bigint      NOT NULL GENERATED ALWAYS AS IDENTITY (CACHE 32),
    recorded_at      timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    event            text        NOT NULL,
    revision         bigint      NOT NULL,
    state            text        NOT NULL,
    suspend_reason   text,
    attempt          integer     NOT NULL,
    lease_generation bigint      NOT NULL,
    code             text,
    actor            text,
    reason           text,
    CONSTRAINT work_history_pk PRIMARY KEY (scope_id, work_id, entry),
    CONSTRAINT work_history_state_known CHECK (state = ANY
        ('{ready, claimed, permitted, suspended, succeeded, failed, canceled}'))
);

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

CREATE TRIGGER work_history_is_not_rewritten
    BEFORE UPDATE OR TRUNCATE ON durable.work_history
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
            'permit', 'work_history', 'operator_command']
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
