-- Scopes (tenants): created by their first use, disabled for good by an operator.
SELECT durable.lock_exclusively(durable.epoch_lock_key(), interval '60 seconds');

CREATE TABLE durable.scope
(
    scope_id      text        NOT NULL,
    generation    bigint      NOT NULL DEFAULT 1,
    state         text        NOT NULL DEFAULT 'active',
    changed_at    timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    changed_by    text        NOT NULL DEFAULT 'first use',
    change_reason text        NOT NULL DEFAULT 'first accepted Work',
    CONSTRAINT scope_pk PRIMARY KEY (scope_id),
    CONSTRAINT scope_id_form CHECK (scope_id ~ '^[A-Za-z0-9._:-]{1,200}$'),
    CONSTRAINT scope_generation_positive CHECK (generation >= 1),
    CONSTRAINT scope_state_known CHECK (state IN ('active', 'disabled')),
    CONSTRAINT scope_changed_by_length CHECK (length(changed_by) BETWEEN 1 AND 200),
    CONSTRAINT scope_change_reason_length CHECK (length(change_reason) BETWEEN 1 AND 2000)
);

CREATE TABLE durable.scope_history
(
    scope_id      text        NOT NULL,
    generation    bigint      NOT NULL,
    state         text        NOT NULL,
    changed_at    timestamptz NOT NULL,
    changed_by    text        NOT NULL,
    change_reason text        NOT NULL,
    CONSTRAINT scope_history_pk PRIMARY KEY (scope_id, generation),
    CONSTRAINT scope_history_state_known CHECK (state IN ('active', 'disabled'))
);

COMMENT ON TABLE durable.scope_history IS 'Append-only record of every generation of a scope, written by a trigger.';

-- Row-level security: one scope at a time, the one that the transaction has set. FORCE binds the owner as well.
ALTER TABLE durable.scope ENABLE ROW LEVEL SECURITY;
ALTER TABLE durable.scope FORCE ROW LEVEL SECURITY;
CREATE POLICY scope_isolation ON durable.scope
    USING (scope_id = nullif(current_setting('durable.scope_id', true), ''));
-- A batch of the pump sees exactly the scopes that it has named, and binds none: then no statement for one scope works.
CREATE POLICY scopes_of_a_batch ON durable.scope
    USING (strpos(',' || current_setting('durable.scope_ids', true) || ',', ',' || scope_id || ',') > 0);

ALTER TABLE durable.scope_history ENABLE ROW LEVEL SECURITY;
ALTER TABLE durable.scope_history FORCE ROW LEVEL SECURITY;
CREATE POLICY scope_isolation ON durable.scope_history
    USING (scope_id = nullif(current_setting('durable.scope_id', true), ''));

-- Every writer of a scope row takes the scope's lock exclusively, before any row lock. Two functions, because a first
-- use may wait for another first use as long as the session allows, while a change of a live scope must not make its
-- traffic queue: it waits at most 200 ms and fails with 55P03 (a patient writer takes the lock in slices beforehand).
CREATE FUNCTION durable.lock_scope_for_first_use() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = ''
AS
$$
BEGIN
    PERFORM pg_catalog.pg_advisory_xact_lock(durable.scope_lock_key(durable.bound_scope()));
    RETURN NULL;
END
$$;

CREATE FUNCTION durable.lock_scope_for_change() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = ''
    SET lock_timeout = '200ms'
AS
$$
BEGIN
    PERFORM pg_catalog.pg_advisory_xact_lock(durable.scope_lock_key(durable.bound_scope()));
    RETURN NULL;
END
$$;

CREATE FUNCTION durable.bound_scope() RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path = ''
AS
$$
DECLARE
    bound constant text := nullif(pg_catalog.current_setting('durable.scope_id', true), '');
BEGIN
    IF bound IS NULL THEN
        RAISE EXCEPTION 'No scope is bound to this transaction'
            USING ERRCODE = 'object_not_in_prerequisite_state',
                HINT = 'Run SELECT set_config(''durable.scope_id'', ''<scope>'', true) first.';
    END IF;
    RETURN bound;
END
$$;

CREATE FUNCTION durable.check_scope_change() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = ''
AS
$$
BEGIN
    -- Row-level security says the same to everybody but a superuser.
    IF NEW.scope_id <> durable.bound_scope() THEN
        RAISE EXCEPTION 'The scope that is written is not the scope bound to this transaction'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF TG_OP = 'UPDATE' AND (OLD.state = 'disabled' OR NEW.generation <> OLD.generation + 1
        OR NEW.scope_id <> OLD.scope_id) THEN
        RAISE EXCEPTION 'A scope changes only while active, one generation at a time'
            USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    RETURN NEW;
END
$$;

-- SECURITY DEFINER: the runtime creates scopes by first use, but may not write their history itself.
CREATE FUNCTION durable.record_scope_change() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = ''
AS
$$
BEGIN
    INSERT INTO durable.scope_history (scope_id, generation, state, changed_at, changed_by, change_reason)
    VALUES (NEW.scope_id, NEW.generation, NEW.state, NEW.changed_at, NEW.changed_by, NEW.change_reason);
    RETURN NULL;
END
$$;

CREATE TRIGGER scope_first_use_takes_the_scope_lock
    BEFORE INSERT ON durable.scope
    FOR EACH STATEMENT EXECUTE FUNCTION durable.lock_scope_for_first_use();
CREATE TRIGGER scope_change_takes_the_scope_lock
    BEFORE UPDATE ON durable.scope
    FOR EACH STATEMENT EXECUTE FUNCTION durable.lock_scope_for_change();
CREATE TRIGGER scope_change_is_legal
    BEFORE INSERT OR UPDATE ON durable.scope
    FOR EACH ROW EXECUTE FUNCTION durable.check_scope_change();
CREATE TRIGGER scope_change_is_recorded
    AFTER INSERT OR UPDATE ON durable.scope
    FOR EACH ROW EXECUTE FUNCTION durable.record_scope_change();
CREATE TRIGGER scope_is_permanent
    BEFORE DELETE OR TRUNCATE ON durable.scope
    FOR EACH STATEMENT EXECUTE FUNCTION durable.refuse_change();
CREATE TRIGGER scope_history_is_append_only
    BEFORE UPDATE OR DELETE OR TRUNCATE ON durable.scope_history
    FOR EACH STATEMENT EXECUTE FUNCTION durable.refuse_change();
