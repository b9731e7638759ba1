-- Discovery: the one place that looks across scopes. Payload-free, bounded, through indexes only.
SELECT durable.lock_exclusively(durable.epoch_lock_key(), interval '60 seconds');

-- FORCE binds the owner too, so the SECURITY DEFINER function below needs a policy of its own, on this table alone.
CREATE POLICY discovery_sees_every_scope ON durable.dispatch FOR SELECT TO CURRENT_USER USING (true);

-- One index probe per contract and priority, ready rows and expired leases alike. The time is sampled once into a
-- variable: a volatile call in the predicate could not be an index condition.
CREATE FUNCTION durable.discover(contract_names text[], contract_versions text[], max_rows integer)
    RETURNS TABLE (scope_id text, work_id uuid, lease_generation bigint, priority smallint, eligible_at timestamptz)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path = ''
AS
$$
#variable_conflict use_column
DECLARE
    sampled constant timestamptz := pg_catalog.clock_timestamp();
BEGIN
    IF max_rows IS NULL OR max_rows NOT BETWEEN 1 AND 10000 THEN
        RAISE EXCEPTION 'max_rows must be between 1 and 10000' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF pg_catalog.cardinality(contract_names) IS DISTINCT FROM pg_catalog.cardinality(contract_versions)
        OR pg_catalog.cardinality(contract_names) > 1000 THEN
        RAISE EXCEPTION 'contract_names and contract_versions must have the same length, 1000 at most'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    RETURN QUERY
        SELECT found.scope_id, found.work_id, found.lease_generation, found.priority, found.eligible_at
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
END
$$;

-- New functions are executable by PUBLIC; in this schema nothing is.
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA durable FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA durable FROM PUBLIC;
