-- Workers of hosts long gone: every process that had an id of its own leaves a row.
SELECT durable.lock_exclusively(durable.epoch_lock_key(), interval '60 seconds');

-- Removes workers that were not heard of for longer than the window and hold no lease that is good. One that comes back
-- registers again.
CREATE FUNCTION durable.remove_workers(keep_seconds bigint, max_rows integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = ''
AS
$$
DECLARE
    sampled constant     timestamptz := pg_catalog.clock_timestamp();
    seen_before constant timestamptz := sampled - pg_catalog.make_interval(secs => keep_seconds);
    removed              integer;
BEGIN
    IF keep_seconds IS NULL OR keep_seconds < 3600 THEN
        RAISE EXCEPTION 'Workers are kept for an hour at least' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF max_rows IS NULL OR max_rows NOT BETWEEN 1 AND 10000 THEN
        RAISE EXCEPTION 'max_rows must be between 1 and 10000' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM pg_catalog.pg_advisory_xact_lock_shared(durable.epoch_lock_key());
    -- The time is judged again on the row that is locked: a worker that reports just now stays.
    DELETE
    FROM durable.worker w
    WHERE w.heartbeat_at < seen_before
      AND w.worker_id IN (SELECT x.worker_id
                          FROM durable.worker x
                          WHERE x.heartbeat_at < seen_before
                            AND NOT EXISTS (SELECT
                                            FROM durable.dispatch d
                                            WHERE d.lease_owner = x.worker_id
                                              AND d.lease_expires_at > sampled)
                          ORDER BY x.heartbeat_at
                          LIMIT max_rows);
    GET DIAGNOSTICS removed = ROW_COUNT;
    RETURN removed;
END
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA durable FROM PUBLIC;

-- Whoever removes identities may do this as well.
DO
$$
    DECLARE
        retention text;
    BEGIN
        FOR retention IN
            SELECT acl.grantee::regrole::text
            FROM pg_proc f, aclexplode(f.proacl) AS acl
            WHERE f.oid = 'durable.remove_identities(bigint, text, text, integer)'::regprocedure
              AND acl.grantee NOT IN (0, f.proowner)
            LOOP
                EXECUTE format('GRANT EXECUTE ON FUNCTION durable.remove_workers(bigint, integer) TO %s', retention);
            END LOOP;
    END
$$;
