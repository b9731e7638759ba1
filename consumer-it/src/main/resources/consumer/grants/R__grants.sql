-- What the role that runs the application may do. Apart from the migrations, because roles are the environment's; run
-- again by Flyway when the text or the name of the role has changed.
GRANT USAGE ON SCHEMA consumer TO "${runtime_role}";

-- UPDATE also for SELECT ... FOR UPDATE: without it the lock is refused with 42501.
GRANT SELECT, INSERT, UPDATE (is_authorized, changed_at) ON consumer.authority TO "${runtime_role}";
GRANT SELECT, INSERT, UPDATE (attempt, prepared_at) ON consumer.ledger TO "${runtime_role}";
