-- Fair discovery: rows of a flooded scope or contract must not hide those of the others.
SELECT durable.lock_exclusively(durable.epoch_lock_key(), interval '60 seconds');

-- A lane is one contract in one scope. This index leads from each lane to the next with one descent, however many rows
-- a lane has, and to its first row; dispatch_ready, which is by due time over all scopes, would have to read through them.
CREATE INDEX dispatch_lane ON durable.dispatch (contract_name, contract_version, scope_id, priority DESC, due_at)
    INCLUDE (work_id, lease_generation) WHERE lease_owner IS NULL;

-- First the rows that are due, or whose lease is over, by priority and then by due time. When these are more than the
-- places that the caller has, then also, for half of the places, the first rows of the lanes whose turn it is: contracts
-- in turn, and the scopes of each contract in turn, from where the caller was last. Expired leases of all contracts
-- together are one lane more, at position 0: a scope without ready Work has no other, and there are never more than dead
-- workers had places.
--
-- Of a lane come its first four rows. A caller that has tried rows in vain, which stay due while somebody has them locked,
-- asks for as many rows more than four for each place: then a lane has so many more as well, up to sixty, since all that
-- were tried may be of one lane and must not hide the rest of it.
--
-- Rows of a lane carry its position among the given contracts. A visited lane without a due row is one row without
-- work_id, so that the caller can go on behind it. The cost is bounded by the arguments, not by the rows of the table.
--
-- Statistics of a queue are always of another time, and plans are kept: one that is made while the table has few rows, or
-- one tenant, must do when it is full. Hence the settings: rows come from an index that has them in order, or not at all,
-- and no call plans again what has only one good plan. The sorts that remain would look so dear that they were worth
-- compiling, hence no jit. The time is sampled once into a variable: a volatile call could not be an index condition.
CREATE FUNCTION durable.discover(contract_names text[], contract_versions text[], max_rows integer,
                                 places integer DEFAULT NULL, after_contract integer DEFAULT 0,
                                 after_scopes text[] DEFAULT NULL)
    RETURNS TABLE (scope_id text, work_id uuid, lease_generation bigint, priority smallint, eligible_at timestamptz,
                   lane_contract integer, lane_scope text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path = ''
    SET enable_seqscan = off
    SET enable_bitmapscan = off
    SET enable_sort = off
    SET enable_incremental_sort = off
    SET plan_cache_mode = force_generic_plan
    SET jit = off
AS
$$
#variable_conflict use_column
DECLARE
    sampled constant      timestamptz := pg_catalog.clock_timestamp();
    contracts constant    integer     := coalesce(pg_catalog.cardinality(contract_names), 0);
    tried constant        integer     := least(greatest(max_rows - 4::bigint * places, 0), 60);
    rows_of_lane constant integer     := 4 + tried;
    lanes_left            integer     := least((places + 1) / 2, 64);
    visits_left           integer     := 64;
    turn                  integer     := after_contract;
    idle_turns            integer     := 0;
    begun constant        text[]      := coalesce(after_scopes, pg_catalog.array_fill(''::text, ARRAY [contracts]));
    reached               text[]      := begun;
    wrapped               boolean[]   := pg_catalog.array_fill(false, ARRAY [contracts]);
    ended                 boolean[]   := pg_catalog.array_fill(false, ARRAY [contracts + 1]);
    found_contract        text;
    found_version         text;
    next_scope            text;
    below                 smallint;
    due_rows              integer;
    found_rows            bigint;
BEGIN
    IF max_rows IS NULL OR max_rows NOT BETWEEN 1 AND 10000 THEN
        RAISE EXCEPTION 'max_rows must be between 1 and 10000' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF pg_catalog.cardinality(contract_names) IS DISTINCT FROM pg_catalog.cardinality(contract_versions)
        OR contracts > 1000 THEN
        RAISE EXCEPTION 'contract_names and contract_versions must have the same length, 1000 at most'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF places < 1 OR after_contract IS NULL OR after_contract NOT BETWEEN 0 AND contracts
        OR pg_catalog.cardinality(reached) <> contracts THEN
        RAISE EXCEPTION 'places must be positive, after_contract a position, after_scopes as long as contract_names'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    RETURN QUERY
        SELECT found.scope_id, found.work_id, found.lease_generation, found.priority, found.eligible_at,
               NULL::integer, NULL::text
        FROM ROWS FROM (pg_catalog.unnest(contract_names), pg_catalog.unnest(contract_versions)) AS c (name, version)
                 CROSS JOIN pg_catalog.generate_series(9, 0, -1) AS p (priority)
                 CROSS JOIN LATERAL (
            (SELECT d.scope_id, d.work_id, d.lease_generation, d.priority, d.due_at AS eligible_at
             FROM durable.dispatch d
             WHERE d.lease_owner IS NULL
               AND d.contract_name = c.name
               AND d.contract_version = c.version
               AND d.priority = p.priority
               AND d.due_at <= sampled
             ORDER BY d.due_at
             LIMIT max_rows)
            UNION ALL
            (SELECT d.scope_id, d.work_id, d.lease_generation, d.priority, d.lease_expires_at
             FROM durable.dispatch d
             WHERE d.lease_owner IS NOT NULL
               AND d.contract_name = c.name
               AND d.contract_version = c.version
               AND d.priority = p.priority
               AND d.lease_expires_at <= sampled
             ORDER BY d.lease_expires_at
             LIMIT max_rows)) AS found
        ORDER BY found.priority DESC, found.eligible_at
        LIMIT max_rows;
    GET DIAGNOSTICS found_rows = ROW_COUNT;
    IF places IS NULL OR found_rows <= places THEN
        RETURN; -- nobody has to wait
    END IF;

    -- Ends after so many lanes, or when a whole round over the contracts has found none that is not yet through.
    WHILE lanes_left > 0 AND visits_left > 0 AND idle_turns <= contracts LOOP
        turn := (turn + 1) % (contracts + 1);
        IF ended[turn + 1] THEN
            idle_turns := idle_turns + 1;
            CONTINUE;
        END IF;
        IF turn = 0 THEN
            ended[1] := true;
            RETURN QUERY
                SELECT found.scope_id, found.work_id, found.lease_generation, found.priority, found.lease_expires_at,
                       0, ''::text
                FROM ROWS FROM (pg_catalog.unnest(contract_names), pg_catalog.unnest(contract_versions))
                         AS c (name, version)
                         CROSS JOIN pg_catalog.generate_series(9, 0, -1) AS p (priority)
                         CROSS JOIN LATERAL (
                    SELECT d.scope_id, d.work_id, d.lease_generation, d.priority, d.lease_expires_at
                    FROM durable.dispatch d
                    WHERE d.lease_owner IS NOT NULL
                      AND d.contract_name = c.name
                      AND d.contract_version = c.version
                      AND d.priority = p.priority
                      AND d.lease_expires_at <= sampled
                    ORDER BY d.lease_expires_at
                    LIMIT rows_of_lane) AS found
                ORDER BY found.lease_expires_at
                LIMIT rows_of_lane;
            GET DIAGNOSTICS due_rows = ROW_COUNT;
        ELSE
            due_rows := 0;
            next_scope := NULL;
            -- Compared as a row, bounded from below alone: an upper bound as a row would not end the scan.
            FOR found_contract, found_version, scope_id, work_id, lease_generation, priority, eligible_at IN
                SELECT d.contract_name, d.contract_version, d.scope_id, d.work_id, d.lease_generation, d.priority, d.due_at
                FROM durable.dispatch d
                WHERE d.lease_owner IS NULL
                  AND (d.contract_name, d.contract_version, d.scope_id)
                    > (contract_names[turn], contract_versions[turn], reached[turn])
                ORDER BY d.contract_name, d.contract_version, d.scope_id, d.priority DESC, d.due_at
                LIMIT rows_of_lane
            LOOP
                IF found_contract <> contract_names[turn] OR found_version <> contract_versions[turn]
                    OR scope_id <> next_scope OR wrapped[turn] AND scope_id > begun[turn] THEN
                    below := 0; -- behind the lane
                    EXIT;
                END IF;
                next_scope := scope_id;
                below := priority;
                EXIT WHEN eligible_at > sampled;
                due_rows := due_rows + 1;
                lane_contract := turn;
                lane_scope := next_scope;
                RETURN NEXT;
            END LOOP;
            IF next_scope IS NULL AND NOT wrapped[turn] AND begun[turn] > '' THEN
                wrapped[turn] := true;
                reached[turn] := '';
                turn := (turn + contracts) % (contracts + 1); -- this contract again, from its first scope
                CONTINUE;
            END IF;
            IF next_scope IS NULL THEN
                ended[turn + 1] := true;
                idle_turns := idle_turns + 1;
                CONTINUE;
            END IF;
            reached[turn] := next_scope;
            visits_left := visits_left - 1;
            -- A row of a priority is not due: none behind it is. On with the next lower one that has rows, as long as what
            -- was found may be what was tried.
            WHILE due_rows <= tried AND below > 0 LOOP
                FOR scope_id, work_id, lease_generation, priority, eligible_at IN
                    SELECT d.scope_id, d.work_id, d.lease_generation, d.priority, d.due_at
                    FROM durable.dispatch d
                    WHERE d.lease_owner IS NULL
                      AND d.contract_name = contract_names[turn]
                      AND d.contract_version = contract_versions[turn]
                      AND d.scope_id = next_scope
                      AND d.priority < below
                    ORDER BY d.priority DESC, d.due_at
                    LIMIT rows_of_lane - due_rows
                LOOP
                    below := priority;
                    EXIT WHEN eligible_at > sampled;
                    due_rows := due_rows + 1;
                    lane_contract := turn;
                    lane_scope := next_scope;
                    RETURN NEXT;
                END LOOP;
                EXIT WHEN NOT FOUND;
            END LOOP;
        END IF;
        idle_turns := 0;
        IF due_rows > 0 THEN
            lanes_left := lanes_left - 1;
        ELSE
            RETURN QUERY
                SELECT NULL::text, NULL::uuid, NULL::bigint, NULL::smallint, NULL::timestamptz,
                       turn, CASE turn WHEN 0 THEN '' ELSE next_scope END;
        END IF;
    END LOOP;
END
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA durable FROM PUBLIC;

-- Workers run on while this is applied: who may call the old form, with three arguments, may call the new one.
DO
$$
    DECLARE
        dispatcher text;
    BEGIN
        FOR dispatcher IN
            SELECT acl.grantee::regrole::text
            FROM pg_proc f, aclexplode(f.proacl) AS acl
            WHERE f.oid = 'durable.discover(text[], text[], integer)'::regprocedure
              AND acl.grantee NOT IN (0, f.proowner)
            LOOP
                EXECUTE format('GRANT EXECUTE ON FUNCTION '
                    'durable.discover(text[], text[], integer, integer, integer, text[]) TO %s', dispatcher);
            END LOOP;
    END
$$;
DROP FUNCTION durable.discover(text[], text[], integer);
