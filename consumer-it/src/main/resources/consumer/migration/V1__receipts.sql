-- What the application decides with, and where it records that it decided.
REVOKE ALL ON SCHEMA consumer FROM PUBLIC;

CREATE TABLE consumer.authority
(
    scope_id      text        NOT NULL,
    operation_key text        NOT NULL,
    is_authorized boolean     NOT NULL,
    changed_at    timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    CONSTRAINT authority_pk PRIMARY KEY (scope_id, operation_key)
);

COMMENT ON TABLE consumer.authority IS 'Whether an operation is allowed right now; may be revoked at any time.';

-- No foreign key to authority: an insert here would lock that row, and the order of locks is the callback's to decide.
CREATE TABLE consumer.ledger
(
    scope_id          text        NOT NULL,
    logical_operation text        NOT NULL,
    activity_id       uuid        NOT NULL,
    attempt           integer     NOT NULL,
    prepared_at       timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    CONSTRAINT ledger_pk PRIMARY KEY (scope_id, logical_operation),
    CONSTRAINT ledger_attempt_positive CHECK (attempt >= 1)
);

COMMENT ON TABLE consumer.ledger IS
    'One row for each logical operation that was handed off: to which activity, and which attempt of it.';

-- The scope that the fence binds for its callback is the tenant of the application: one setting, one isolation.
ALTER TABLE consumer.authority ENABLE ROW LEVEL SECURITY;
ALTER TABLE consumer.authority FORCE ROW LEVEL SECURITY;
CREATE POLICY scope_isolation ON consumer.authority
    USING (scope_id = nullif(current_setting('durable.scope_id', true), ''));

ALTER TABLE consumer.ledger ENABLE ROW LEVEL SECURITY;
ALTER TABLE consumer.ledger FORCE ROW LEVEL SECURITY;
CREATE POLICY scope_isolation ON consumer.ledger
    USING (scope_id = nullif(current_setting('durable.scope_id', true), ''));
