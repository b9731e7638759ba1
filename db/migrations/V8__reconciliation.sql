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
    epoch            uuid        NOT NULL,
    due_at           timestamptz NOT NULL,
    asked            integer     NOT NULL DEFAULT 0,
    CONSTRAINT inquiry_pk PRIMARY KEY (scope_id, work_id),
    CONSTRAINT inquiry_of_work FOREIGN KEY (scope_id, work_id) REFERENCES durable.work (scope_id, work_id),
    CONSTRAINT inquiry_asked_is_a_count CHECK (asked >= 0)
) WITH (fillfactor = 70);

COMMENT ON TABLE durable.inquiry IS 'Suspended Work whose provider may be asked what became of the effect.';
COMMENT ON COLUMN durable.inquiry.epoch IS 'That of its Work: until it is released after a rotation, nobody is asked.';
COMMENT ON COLUMN durable.inquiry.asked IS 'How often it was taken to ask a reconciler.';

CREATE INDEX inquiry_due ON durable.inquiry (contract_name, contract_version, epoch, scope_id, due_at) INCLUDE (work_id);

-- FORCE binds the owner too: policies for the length of this script show it the Works that are suspended already.
CREATE POLICY reconciliation_migration ON durable.work FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY reconciliation_migration ON durable.work_snapshot FOR SELECT TO CURRENT_USER USING (true);
INSERT INTO durable.inquiry (scope_id, work_id, contract_name, contract_version, epoch, due_at)
SELECT w.scope_id, w.work_id, s.contract_name, s.contract_version, w.epoch,
       pg_catalog.clock_timestamp() + greatest(s.retry_initial, s.lease_duration)
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

-- With the owner's rights, so that those who make the transition need none on this table, also between this script and
-- the next run of grant-roles.sql; the scope that they have bound is the owner's limit too. Not due before one more lease
-- has passed: a worker that lost its lease between the decision and the provider call needs time to hear of it.
CREATE FUNCTION durable.keep_inquiry() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = ''
AS
$$
BEGIN
    IF NEW.suspend_reason IN ('reconciliation_required', 'ambiguous_outcome') THEN
        INSERT INTO durable.inquiry AS i (scope_id, work_id, contract_name, contract_version, epoch, due_at)
        SELECT s.scope_id, s.work_id, s.contract_name, s.contract_version, NEW.epoch,
               pg_catalog.clock_timestamp() + greatest(s.retry_initial, s.lease_duration)
        FROM durable.work_snapshot s
        WHERE s.scope_id = NEW.scope_id
          AND s.work_id = NEW.work_id
          AND s.provider_safety <> 'manual_resolution'
        ON CONFLICT ON CONSTRAINT inquiry_pk DO UPDATE SET epoch = EXCLUDED.epoch, due_at = EXCLUDED.due_at, asked = 0;
    ELSE
        DELETE FROM durable.inquiry i WHERE i.scope_id = NEW.scope_id AND i.work_id = NEW.work_id;
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER work_is_asked_about
    AFTER UPDATE OF suspend_reason, epoch ON durable.work
    FOR EACH ROW
    WHEN ((NEW.suspend_reason IS DISTINCT FROM OLD.suspend_reason OR NEW.epoch <> OLD.epoch)
        AND (NEW.suspend_reason IN ('reconciliation_required', 'ambiguous_outcome')
            OR OLD.suspend_reason IN ('reconciliation_required', 'ambiguous_outcome')))
EXECUTE FUNCTION durable.keep_inquiry();

-- As durable.discover: payload-free and bounded, through the index alone. Scope after scope in the order of their ids,
-- four rows of each, so that a flooded scope hides no other; who calls again begins behind the last scope it got.
CREATE FUNCTION durable.discover_inquiries(contract text, version text, after_scope text, max_rows integer)
    RETURNS TABLE (scope_id text, work_id uuid)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path = ''
AS
$$
#variable_conflict use_column
DECLARE
    sampled constant timestamptz := pg_catalog.clock_timestamp();
    active  constant uuid        := (SELECT s.active_epoch FROM durable.store s);
BEGIN
    IF max_rows IS NULL OR max_rows NOT BETWEEN 1 AND 1000 THEN
        RAISE EXCEPTION 'max_rows must be between 1 and 1000' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    RETURN QUERY
        WITH RECURSIVE visited (scope_id) AS (
            (SELECT i.scope_id
             FROM durable.inquiry i
             WHERE i.contract_name = contract AND i.contract_version = version AND i.epoch = active
               AND i.scope_id > after_scope
             ORDER BY i.scope_id
             LIMIT 1)
            UNION ALL
            (SELECT (SELECT i.scope_id
                     FROM durable.inquiry i
                     WHERE i.contract_name = contract AND i.contract_version = version AND i.epoch = active
                       AND i.scope_id > v.scope_id
                     ORDER BY i.scope_id
                     LIMIT 1)
             FROM visited v
             WHERE v.scope_id IS NOT NULL))
        SELECT found.scope_id, found.work_id
        FROM (SELECT v.scope_id FROM visited v WHERE v.scope_id IS NOT NULL LIMIT 10000) AS s
                 CROSS JOIN LATERAL (
            SELECT i.scope_id, i.work_id
            FROM durable.inquiry i
            WHERE i.contract_name = contract AND i.contract_version = version AND i.epoch = active
              AND i.scope_id = s.scope_id
              AND i.due_at <= sampled
            ORDER BY i.due_at
            LIMIT 4) AS found
        LIMIT max_rows;
END
$$;

REVOKE ALL ON durable.inquiry FROM PUBLIC;
REVOKE ALL ON FUNCTION durable.keep_inquiry(), durable.discover_inquiries(text, text, text, integer) FROM PUBLIC;
