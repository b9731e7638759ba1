-- Retention: removal through the functions below and no other way. Each call is one short transaction over a bounded
-- number of rows, and says where the next one goes on.
SELECT durable.lock_exclusively(durable.epoch_lock_key(), interval '60 seconds');

-- Binds the next scope, in the order in which scopes are locked; found through the owner's policy on scope.
CREATE FUNCTION durable.bind_next_scope(from_scope text, inclusive boolean) RETURNS text
    LANGUAGE plpgsql
    SET search_path = ''
AS
$$
DECLARE
    found text;
BEGIN
    SELECT s.scope_id
    INTO found
    FROM durable.scope s
    WHERE s.scope_id >= from_scope
      AND (inclusive OR s.scope_id > from_scope)
    ORDER BY s.scope_id
    LIMIT 1;
    -- FORCE binds the owner as well: everything but the list of scopes is seen one scope at a time.
    PERFORM pg_catalog.set_config('durable.scope_id', coalesce(found, ''), true);
    RETURN found;
END
$$;

-- Removes Work that ended longer ago than the window, with everything but its identity. Examines Works in the order of
-- their keys, which is about that of their acceptance, from after_work in after_scope on (nulls: from the beginning).
CREATE FUNCTION durable.remove_finished_work(keep_seconds bigint, states text[], after_scope text, after_work uuid,
                                             max_rows integer)
    RETURNS TABLE (examined integer, removed integer, next_scope text, next_work uuid)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = ''
AS
$$
#variable_conflict use_variable
DECLARE
    before_call constant text := coalesce(pg_catalog.current_setting('durable.scope_id', true), '');
    ended_before constant timestamptz := pg_catalog.clock_timestamp() - pg_catalog.make_interval(secs => keep_seconds);
    scope                text;
    seen                 uuid[];
    candidates           uuid[];
    locked               uuid[];
    visits               integer := 0;
BEGIN
    IF keep_seconds IS NULL OR keep_seconds < 3600 THEN
        RAISE EXCEPTION 'Work is kept for an hour at least' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF max_rows IS NULL OR max_rows NOT BETWEEN 1 AND 10000 THEN
        RAISE EXCEPTION 'max_rows must be between 1 and 10000' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF states IS NULL OR NOT states <@ ARRAY ['succeeded', 'failed', 'canceled'] THEN
        RAISE EXCEPTION 'Only Work that has ended can be removed' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    examined := 0;
    removed := 0;
    PERFORM pg_catalog.pg_advisory_xact_lock_shared(durable.epoch_lock_key());
    scope := durable.bind_next_scope(coalesce(after_scope, ''), after_work IS NOT NULL);
    LOOP
        next_scope := scope;
        next_work := NULL;
        EXIT WHEN scope IS NULL;
        IF scope IS DISTINCT FROM after_scope THEN
            after_work := NULL;
        END IF;
        -- A scope that is being changed right now has its turn in the next pass.
        IF pg_catalog.pg_try_advisory_xact_lock_shared(durable.scope_lock_key(scope)) THEN
            SELECT pg_catalog.array_agg(w.work_id ORDER BY w.work_id)
            INTO seen
            FROM (SELECT x.work_id
                  FROM durable.work x
                  WHERE x.scope_id = scope
                    AND (after_work IS NULL OR x.work_id > after_work)
                  ORDER BY x.work_id
                  LIMIT max_rows - examined) AS w;
            examined := examined + coalesce(pg_catalog.cardinality(seen), 0);
            IF examined >= max_rows THEN
                next_work := seen[pg_catalog.cardinality(seen)];
            END IF;
            SELECT pg_catalog.array_agg(w.work_id)
            INTO candidates
            FROM durable.work w
            WHERE w.scope_id = scope
              AND w.work_id = ANY (seen)
              AND w.state = ANY (states)
              AND ended_before > (SELECT pg_catalog.max(h.recorded_at)
                                  FROM durable.work_history h
                                  WHERE h.scope_id = scope
                                    AND h.work_id = w.work_id);
            -- No transition leaves these states, so what was read before the lock still holds after it.
            SELECT pg_catalog.array_agg(w.work_id)
            INTO locked
            FROM (SELECT x.work_id
                  FROM durable.work x
                  WHERE x.scope_id = scope
                    AND x.work_id = ANY (candidates)
                  ORDER BY x.work_id
                      FOR UPDATE SKIP LOCKED) AS w;
            IF locked IS NOT NULL THEN
                DELETE FROM durable.permit p WHERE p.scope_id = scope AND p.work_id = ANY (locked);
                DELETE FROM durable.work_event e WHERE e.scope_id = scope AND e.work_id = ANY (locked);
                DELETE FROM durable.work_result r WHERE r.scope_id = scope AND r.work_id = ANY (locked);
                DELETE FROM durable.work_snapshot s WHERE s.scope_id = scope AND s.work_id = ANY (locked);
                DELETE FROM durable.work w WHERE w.scope_id = scope AND w.work_id = ANY (locked);
                removed := removed + pg_catalog.cardinality(locked);
            END IF;
        END IF;
        visits := visits + 1;
        EXIT WHEN examined >= max_rows OR visits >= 100;
        scope := durable.bind_next_scope(scope, false);
    END LOOP;
    PERFORM pg_catalog.set_config('durable.scope_id', before_call, true);
    RETURN NEXT;
END
$$;

-- Removes the memory of commands older than the window: of acceptances whose Work was removed, and of operators. From
-- then on the same command is a new one, so the window is the promise that is published.
CREATE FUNCTION durable.remove_identities(keep_seconds bigint, after_scope text, after_command text, max_rows integer)
    RETURNS TABLE (examined integer, removed integer, removed_commands integer, next_scope text, next_command text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = ''
AS
$$
#variable_conflict use_variable
DECLARE
    before_call constant text := coalesce(pg_catalog.current_setting('durable.scope_id', true), '');
    used_before constant timestamptz := pg_catalog.clock_timestamp() - pg_catalog.make_interval(secs => keep_seconds);
    scope                text;
    seen                 text[];
    affected             integer;
    visits               integer := 0;
BEGIN
    IF keep_seconds IS NULL OR keep_seconds < 604800 THEN
        RAISE EXCEPTION 'Commands are remembered for seven days at least' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF max_rows IS NULL OR max_rows NOT BETWEEN 1 AND 10000 THEN
        RAISE EXCEPTION 'max_rows must be between 1 and 10000' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    examined := 0;
    removed := 0;
    removed_commands := 0;
    PERFORM pg_catalog.pg_advisory_xact_lock_shared(durable.epoch_lock_key());
    scope := durable.bind_next_scope(coalesce(after_scope, ''), after_command IS NOT NULL);
    LOOP
        next_scope := scope;
        next_command := NULL;
        EXIT WHEN scope IS NULL;
        IF scope IS DISTINCT FROM after_scope THEN
            after_command := NULL;
        END IF;
        IF pg_catalog.pg_try_advisory_xact_lock_shared(durable.scope_lock_key(scope)) THEN
            SELECT pg_catalog.array_agg(i.command_id ORDER BY i.command_id)
            INTO seen
            FROM (SELECT x.command_id
                  FROM durable.work_identity x
                  WHERE x.scope_id = scope
                    AND x.command_id > coalesce(after_command, '')
                  ORDER BY x.command_id
                  LIMIT max_rows - examined) AS i;
            examined := examined + coalesce(pg_catalog.cardinality(seen), 0);
            IF examined >= max_rows THEN
                next_command := seen[pg_catalog.cardinality(seen)];
            END IF;
            DELETE
            FROM durable.work_identity i
            WHERE i.scope_id = scope
              AND i.command_id = ANY (seen)
              AND i.accepted_at < used_before
              AND NOT EXISTS (SELECT FROM durable.work w WHERE w.scope_id = scope AND w.work_id = i.work_id);
            GET DIAGNOSTICS affected = ROW_COUNT;
            removed := removed + affected;
            DELETE
            FROM durable.operator_command c
            WHERE c.scope_id = scope
              AND c.command_id IN (SELECT x.command_id
                                   FROM durable.operator_command x
                                   WHERE x.scope_id = scope
                                     AND x.performed_at < used_before
                                     AND NOT EXISTS (SELECT
                                                     FROM durable.work w
                                                     WHERE w.scope_id = scope
                                                       AND w.work_id = x.work_id)
                                   LIMIT max_rows);
            GET DIAGNOSTICS affected = ROW_COUNT;
            removed_commands := removed_commands + affected;
        END IF;
        visits := visits + 1;
        EXIT WHEN examined >= max_rows OR visits >= 100;
        scope := durable.bind_next_scope(scope, false);
    END LOOP;
    PERFORM pg_catalog.set_config('durable.scope_id', before_call, true);
    RETURN NEXT;
END
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA durable FROM PUBLIC;
