-- Grants the service roles what they need on schema durable, and nothing else. Run it after every migration:
--
--   PGOPTIONS="-c durable.owner_role=durable_owner -c durable.dispatcher_role=durable_dispatcher \
--              -c durable.runtime_role=durable_runtime -c durable.operator_role=durable_operator \
--              -c durable.retention_role=durable_retention" \
--   psql -v ON_ERROR_STOP=1 -f db/roles/grant-roles.sql
--
-- It must be run by the owner (or a superuser), is one statement, and changes nothing when a check fails. Roles are the
-- host's: create them beforehand. Running it again is harmless. A host that removes nothing leaves the retention role out.
DO
$$
    DECLARE
        owner_role      text := nullif(current_setting('durable.owner_role', true), '');
        dispatcher_role text := nullif(current_setting('durable.dispatcher_role', true), '');
        runtime_role    text := nullif(current_setting('durable.runtime_role', true), '');
        operator_role   text := nullif(current_setting('durable.operator_role', true), '');
        retention_role  text := nullif(current_setting('durable.retention_role', true), '');
        service_roles   text[];
        grantees        text;
        former          text;
        service         record;
        offender        text;
    BEGIN
        -- 1. All roles are named, exist and differ.
        IF owner_role IS NULL OR dispatcher_role IS NULL OR runtime_role IS NULL OR operator_role IS NULL THEN
            RAISE EXCEPTION 'Set durable.owner_role, durable.dispatcher_role, durable.runtime_role and durable.operator_role'
                USING ERRCODE = 'invalid_parameter_value';
        END IF;
        service_roles := array_remove(ARRAY [dispatcher_role, runtime_role, operator_role, retention_role], NULL);
        SELECT string_agg(format('%I', named), ', ')
        INTO offender
        FROM unnest(service_roles || owner_role) AS named
        WHERE NOT EXISTS (SELECT FROM pg_roles r WHERE r.rolname = named);
        IF offender IS NOT NULL THEN
            RAISE EXCEPTION 'These roles do not exist: %. Create them first', offender
                USING ERRCODE = 'undefined_object';
        END IF;
        IF (SELECT count(DISTINCT named) < count(*) FROM unnest(service_roles || owner_role) AS named) THEN
            RAISE EXCEPTION 'Owner, dispatcher, runtime, operator and retention must be different roles'
                USING ERRCODE = 'invalid_parameter_value';
        END IF;

        -- 2. The schema is there and belongs to the owner, wholly.
        IF to_regclass('durable.dispatch') IS NULL THEN
            RAISE EXCEPTION 'Schema durable is missing or not migrated. Run the Flyway migrations first'
                USING ERRCODE = 'undefined_table';
        END IF;
        SELECT string_agg(DISTINCT owned.object, ', ')
        INTO offender
        FROM (SELECT c.oid::regclass::text, c.relowner
              FROM pg_class c
              WHERE c.relnamespace = 'durable'::regnamespace
              UNION ALL
              SELECT t.oid::regtype::text, t.typowner FROM pg_type t WHERE t.typnamespace = 'durable'::regnamespace
              UNION ALL
              SELECT p.oid::regprocedure::text, p.proowner FROM pg_proc p WHERE p.pronamespace = 'durable'::regnamespace
              UNION ALL
              SELECT 'schema durable', n.nspowner FROM pg_namespace n WHERE n.nspname = 'durable') AS owned (object, owner)
        WHERE owned.owner <> owner_role::regrole;
        IF offender IS NOT NULL THEN
            RAISE EXCEPTION 'Not owned by %: %. Run the migrations as the owner role', owner_role, offender
                USING ERRCODE = 'object_not_in_prerequisite_state';
        END IF;

        -- 3. No service role could step around row-level security or the grants below.
        FOR service IN SELECT r.* FROM pg_roles r WHERE r.rolname = ANY (service_roles)
            LOOP
                IF service.rolsuper OR service.rolbypassrls OR service.rolcreaterole OR service.rolcreatedb THEN
                    RAISE EXCEPTION 'Role % must not have SUPERUSER, BYPASSRLS, CREATEROLE or CREATEDB', service.rolname
                        USING ERRCODE = 'invalid_grant_operation',
                            HINT = format('ALTER ROLE %I NOSUPERUSER NOBYPASSRLS NOCREATEROLE NOCREATEDB', service.rolname);
                END IF;
                SELECT string_agg(format('%I', r.rolname), ', ')
                INTO offender
                FROM pg_roles r
                WHERE r.oid <> service.oid
                  AND (r.rolname = owner_role OR r.rolsuper OR r.rolbypassrls OR r.rolname = ANY (service_roles)
                    OR r.rolname IN ('pg_read_all_data', 'pg_write_all_data'))
                  AND pg_has_role(service.oid, r.oid, 'MEMBER');
                IF offender IS NOT NULL THEN
                    RAISE EXCEPTION 'Role % must not be a member of %', service.rolname, offender
                        USING ERRCODE = 'invalid_grant_operation';
                END IF;
            END LOOP;

        -- 4. Whatever was granted before goes, so that the grants below are all there is: also that of roles which are no
        --    service any more. A role that may do nothing but read, such as a monitor of the host's, is left alone.
        SELECT string_agg(format('%I', named), ', ') INTO grantees FROM unnest(service_roles) AS named;
        SELECT string_agg(DISTINCT r.rolname::regrole::text, ', ')
        INTO former
        FROM (SELECT nspacl FROM pg_namespace WHERE nspname = 'durable'
              UNION ALL
              SELECT relacl FROM pg_class WHERE relnamespace = 'durable'::regnamespace
              UNION ALL
              SELECT a.attacl
              FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
              WHERE c.relnamespace = 'durable'::regnamespace
              UNION ALL
              SELECT proacl FROM pg_proc WHERE pronamespace = 'durable'::regnamespace) AS o (acl)
             CROSS JOIN LATERAL aclexplode(o.acl) AS g
             JOIN pg_roles r ON r.oid = g.grantee
        WHERE r.rolname <> owner_role
          AND r.rolname <> ALL (service_roles)
          AND (g.privilege_type NOT IN ('SELECT', 'USAGE') OR g.is_grantable);
        grantees := concat_ws(', ', grantees, former);
        EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA durable FROM PUBLIC, %s', grantees);
        EXECUTE format('REVOKE ALL ON ALL SEQUENCES IN SCHEMA durable FROM PUBLIC, %s', grantees);
        EXECUTE format('REVOKE ALL ON ALL FUNCTIONS IN SCHEMA durable FROM PUBLIC, %s', grantees);
        EXECUTE format('REVOKE ALL ON SCHEMA durable FROM PUBLIC, %s', grantees);
        SELECT string_agg(format('%I', named), ', ') INTO grantees FROM unnest(service_roles) AS named;
        EXECUTE format('GRANT USAGE ON SCHEMA durable TO %s', grantees);

        -- 5. Dispatcher: the discovery functions. It reads no table.
        EXECUTE format('GRANT EXECUTE ON FUNCTION durable.discover(text[], text[], integer, integer, '
            'integer, text[]), durable.discover_inquiries(text, text, text, integer) TO %I', dispatcher_role);

        -- 6. Runtime: accept, claim, permit, hand off, complete, cancel.
        EXECUTE format('GRANT SELECT ON durable.store, durable.scope, durable.work, durable.work_snapshot, '
            'durable.work_identity, durable.work_result, durable.dispatch, durable.permit, durable.operator_command, '
            'durable.worker TO %I',
                       runtime_role);
        EXECUTE format('GRANT INSERT (scope_id) ON durable.scope TO %I', runtime_role);
        EXECUTE format('GRANT INSERT ON durable.work, durable.work_snapshot, durable.work_identity, '
            'durable.work_result, durable.dispatch, durable.permit, durable.work_event, durable.operator_command, '
            'durable.worker TO %I',
                       runtime_role);
        EXECUTE format('GRANT USAGE ON SEQUENCE durable.work_history_entry TO %I', runtime_role);
        EXECUTE format('GRANT UPDATE (state, suspend_reason, revision, attempt, permitted_attempts, lease_generation, '
            'lease_owner, scope_generation, epoch, cancel_requested_at) ON durable.work TO %I', runtime_role);
        EXECUTE format('GRANT UPDATE (due_at, lease_generation, lease_owner, leased_at, lease_expires_at), DELETE '
            'ON durable.dispatch TO %I', runtime_role);
        EXECUTE format('GRANT UPDATE (state, admitted_at, settled_at) ON durable.permit TO %I', runtime_role);
        EXECUTE format('GRANT SELECT, UPDATE (due_at, asked) ON durable.inquiry TO %I', runtime_role);
        EXECUTE format('GRANT UPDATE (incarnation, display_name, epoch, started_at, heartbeat_at, idle_until, '
            'drain_requested_at, stopped_at) ON durable.worker TO %I', runtime_role);
        EXECUTE format('GRANT EXECUTE ON FUNCTION durable.bound_scope(), durable.scope_lock_key(text), '
            'durable.epoch_lock_key() TO %I', runtime_role);

        -- 7. Operator: reads everything, changes Work and scopes, records commands.
        EXECUTE format('GRANT SELECT ON durable.store, durable.epoch, durable.scope, durable.scope_history, '
            'durable.work, durable.work_snapshot, durable.work_identity, durable.work_result, durable.dispatch, '
            'durable.permit, durable.work_event, durable.work_history, durable.operator_command, durable.worker TO %I',
                       operator_role);
        EXECUTE format('GRANT UPDATE (generation, state, changed_at, changed_by, change_reason) ON durable.scope TO %I',
                       operator_role);
        EXECUTE format('GRANT UPDATE (state, suspend_reason, revision, attempt, lease_generation, lease_owner, '
            'scope_generation, epoch, cancel_requested_at, extra_attempts) ON durable.work TO %I', operator_role);
        EXECUTE format('GRANT INSERT, UPDATE (due_at, lease_generation, lease_owner, leased_at, lease_expires_at), DELETE '
            'ON durable.dispatch TO %I', operator_role);
        EXECUTE format('GRANT UPDATE (state, settled_at) ON durable.permit TO %I', operator_role);
        EXECUTE format('GRANT INSERT ON durable.work_event, durable.work_result, durable.operator_command TO %I',
                       operator_role);
        EXECUTE format('GRANT USAGE ON SEQUENCE durable.work_history_entry TO %I', operator_role);
        EXECUTE format('GRANT SELECT ON durable.inquiry TO %I', operator_role);
        EXECUTE format('GRANT UPDATE (drain_requested_at) ON durable.worker TO %I', operator_role);
        EXECUTE format('GRANT EXECUTE ON FUNCTION durable.bound_scope(), durable.scope_lock_key(text), '
            'durable.epoch_lock_key(), durable.lock_exclusively(bigint, interval), durable.lock_holders(bigint), '
            'durable.list_scopes(text, integer) TO %I',
                       operator_role);

        -- 8. Retention: its functions. It reads no table.
        IF retention_role IS NOT NULL THEN
            EXECUTE format('GRANT EXECUTE ON FUNCTION '
                'durable.remove_finished_work(bigint, text[], text, uuid, integer), '
                'durable.remove_identities(bigint, text, text, integer), '
                'durable.remove_workers(bigint, integer) TO %I',
                           retention_role);
        END IF;
    END
$$;
