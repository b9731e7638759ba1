-- What registered reconcilers are to be asked about: Work that is suspended until somebody knows what became of its
-- effect, and of which a provider may be asked.
SELECT durable.lock_exclusively(durable.epoch_lock_key(), interval '60 seconds');

-- Present exactly while its Work is suspended as reconciliation required or with an ambiguous outcome; the trigger
-- below keeps it so. Whoever asks moves due_at first, so that two rarely ask at a time: it would only be wasted.
CREATE TABLE durable.inquiry
(
    scope_id         text        NOT NULL,
    work_id          uuid        NOT NULL,
    contract_name    text        NOT NULL,
    contract_version text        NOT NULL,
    due_at           timestamptz NOT NULL,
    asked            integer     NOT NULL DEFAULT 0,
    CONSTRAINT inquiry_pk PRIMARY KEY (scope_id, work_id),
    CONSTRAINT inquiry_of_work FOREIGN KEY (scope_id, work_id) REFERENCES durable.work (scope_id, work_id),
    CONSTRAINT inquiry_asked_is_a_count CHECK (asked >= 0)
) WITH (fillfactor = 70);

COMMENT ON TABLE durable.inquiry IS 'Suspended Work whose provider may be asked what became of the effect.';
COMMENT ON COLUMN durable.inquiry.asked IS 'How often a reconciler was asked so far.';

CREATE INDEX inquiry_due ON durable.inquiry (contract_name, contract_version, due_at);

-- FORCE binds the owner too: policies for the length of this script show it the Works that are suspended already.
CREATE POLICY reconciliation_migration ON durable.work FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY reconciliation_migration ON durable.work_snapshot FOR SELECT TO CURRENT_USER USING (true);
INSERT INTO durable.inquiry (scope_id, work_id, contract_name, contract_version, due_at)
SELECT w.scope_id, w.work_id, s.contract_name, s.contract_version, pg_catalog.clock_timestamp()
FROM durable.work w
         JOIN durable.work_snapshot s ON s.scope_id = w.scope_id AND s.work_id = w.work_id
WHERE w.suspend_reason IN ('reconciliation_required', 'ambiguous_outcome')
  AND s.provider_safety <> 'manual_resolution';
DROP POLICY reconciliation_migration ON durable.work;
DROP POLICY reconciliation_migration ON durable.work_snapshot;

ALTER TABLE durable.inquiry ENABLE ROW LEVEL SECURITY;
ALTER TABLE durable.inquiry FORCE ROW LEVEL SECURITY;
CREATE POLICY scope_isolation ON durable.inquiry
    USING (scope_id = nullif(current_setting('durable.scope_id', true), ''));
CREATE POLICY discovery_sees_every_scope ON durable.inquiry FOR SELECT TO CURRENT_USER USING (true);

-- Runs as whoever makes the transition, who has the Work locked and its scope bound. Not asked before one more lease
-- has passed: a worker that lost its lease between the decision and the provider call needs time to hear of it.
CREATE FUNCTION durable.keep_inquiry() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = ''
AS
$$
BEGIN
    IF NEW.suspend_reason IN ('reconciliation_required', 'ambiguous_outcome') THEN
        INSERT INTO durable.inquiry (scope_id, work_id, contract_name, contract_version, due_at)
        SELECT s.scope_id, s.work_id, s.contract_name, s.contract_version,
               pg_catalog.clock_timestamp() + greatest(s.retry_initial, s.lease_duration)
        FROM durable.work_snapshot s
        WHERE s.scope_id = NEW.scope_id
          AND s.work_id = NEW.work_id
          AND s.provider_safety <> 'manual_resolution'
        ON CONFLICT DO NOTHING;
    ELSE
        DELETE FROM durable.inquiry i WHERE i.scope_id = NEW.scope_id AND i.work_id = NEW.work_id;
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER work_is_asked_about
    AFTER UPDATE OF suspend_reason ON durable.work
    FOR EACH ROW
    WHEN (NEW.suspend_reason IS DISTINCT FROM OLD.suspend_reason
        AND (NEW.suspend_reason IN ('reconciliation_required', 'ambiguous_outcome')
            OR OLD.suspend_reason IN ('reconciliation_required', 'ambiguous_outcome')))
EXECUTE FUNCTION durable.keep_inquiry();

-- As durable.discover: payload-free, bounded, one index probe per contract, the time sampled once.
CREATE FUNCTION durable.discover_inquiries(contract_names text[], contract_versions text[], max_rows integer)
    RETURNS TABLE (scope_id text, work_id uuid)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path = ''
AS
$$
#variable_conflict use_column
DECLARE
    sampled constant timestamptz := pg_catalog.clock_timestamp();
BEGIN
    IF max_rows IS NULL OR max_rows NOT BETWEEN 1 AND 1000 THEN
        RAISE EXCEPTION 'max_rows must be between 1 and 1000' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF pg_catalog.cardinality(contract_names) IS DISTINCT FROM pg_catalog.cardinality(contract_versions)
        OR pg_catalog.cardinality(contract_names) > 1000 THEN
        RAISE EXCEPTION 'contract_names and contract_versions must have the same length, 1000 at most'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    RETURN QUERY
        SELECT found.scope_id, found.work_id
        FROM ROWS FROM (pg_catalog.unnest(contract_names), pg_catalog.unnest(contract_versions)) AS c (name, version)
                 CROSS JOIN LATERAL (
            SELECT i.scope_id, i.work_id, i.due_at
            FROM durable.inquiry i
            WHERE i.contract_name = c.name
              AND i.contract_version = c.version
              AND i.due_at <= sampled
            ORDER BY i.due_at
            LIMIT max_rows) AS found
        ORDER BY found.due_at
        LIMIT max_rows;
END
$$;

REVOKE ALL ON durable.inquiry FROM PUBLIC;
REVOKE ALL ON FUNCTION durable.keep_inquiry(), durable.discover_inquiries(text[], text[], integer) FROM PUBLIC;
