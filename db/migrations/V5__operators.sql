-- What operators need: a list of the scopes, and a quick way to suspended Work.
SELECT durable.lock_exclusively(durable.epoch_lock_key(), interval '60 seconds');

-- Suspended Work alone, however many have finished. No transition of the executor's changes suspend_reason except a
-- suspension: an index with the state in its predicate would make all of them rewrite every index of the table.
CREATE INDEX work_suspended ON durable.work (scope_id, work_id) WHERE suspend_reason IS NOT NULL;

ALTER TABLE durable.operator_command
    ADD COLUMN affected bigint;

COMMENT ON COLUMN durable.operator_command.affected IS 'How many Works a command about a whole scope changed.';

-- FORCE binds the owner too: the function below needs a policy of its own. Reading alone, and scopes alone.
CREATE POLICY listing_sees_every_scope ON durable.scope FOR SELECT TO CURRENT_USER USING (true);

CREATE FUNCTION durable.list_scopes(after_scope text, max_rows integer)
    RETURNS TABLE (scope_id text, generation bigint, state text, changed_at timestamptz, changed_by text,
                   change_reason text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path = ''
AS
$$
#variable_conflict use_column
BEGIN
    IF max_rows IS NULL OR max_rows NOT BETWEEN 1 AND 1000 THEN
        RAISE EXCEPTION 'max_rows must be between 1 and 1000' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    RETURN QUERY
        SELECT s.scope_id, s.generation, s.state, s.changed_at, s.changed_by, s.change_reason
        FROM durable.scope s
        WHERE s.scope_id > after_scope
        ORDER BY s.scope_id
        LIMIT max_rows;
END
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA durable FROM PUBLIC;
