-- Creates the five roles for tests and the quickstart. A production host creates its own, with its own secrets.
--
--   PGOPTIONS="-c durable.example_password=..." psql -v ON_ERROR_STOP=1 -f db/roles/create-example-roles.sql
--
-- Names can be chosen with the settings that grant-roles.sql reads; existing roles are left as they are.
DO
$$
    DECLARE
        password   text := nullif(current_setting('durable.example_password', true), '');
        owner_role text := coalesce(nullif(current_setting('durable.owner_role', true), ''), 'durable_owner');
        login_role text;
    BEGIN
        IF password IS NULL THEN
            RAISE EXCEPTION 'Set durable.example_password' USING ERRCODE = 'invalid_parameter_value';
        END IF;
        -- Roles belong to the cluster: two databases may be set up at the same time.
        PERFORM pg_advisory_xact_lock(hashtext('durable example roles'));
        IF NOT EXISTS (SELECT FROM pg_roles r WHERE r.rolname = owner_role) THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEROLE NOCREATEDB', owner_role);
        END IF;
        FOREACH login_role IN ARRAY ARRAY [
            coalesce(nullif(current_setting('durable.dispatcher_role', true), ''), 'durable_dispatcher'),
            coalesce(nullif(current_setting('durable.runtime_role', true), ''), 'durable_runtime'),
            coalesce(nullif(current_setting('durable.operator_role', true), ''), 'durable_operator'),
            coalesce(nullif(current_setting('durable.retention_role', true), ''), 'durable_retention')]
            LOOP
                IF NOT EXISTS (SELECT FROM pg_roles r WHERE r.rolname = login_role) THEN
                    EXECUTE format('CREATE ROLE %I LOGIN PASSWORD %L NOSUPERUSER NOBYPASSRLS NOCREATEROLE NOCREATEDB',
                                   login_role, password);
                END IF;
            END LOOP;
        EXECUTE format('GRANT CREATE ON DATABASE %I TO %I', current_database(), owner_role);
    END
$$;
