package dev.handofffence.runtime;

/** Keeps a record of what a host tells acceptance, heartbeats left out. */
final class IdleMarks {

  private final PumpScene scene;

  IdleMarks(PumpScene scene) {
    this.scene = scene;
    scene.database.execute(
        """
        CREATE TABLE public.mark (n serial, said text);
        CREATE FUNCTION public.keep_mark() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
        BEGIN
          INSERT INTO public.mark (said) VALUES (CASE WHEN NEW.idle_until IS NULL THEN 'busy' ELSE 'idle' END);
          RETURN NULL;
        END $$;
        CREATE TRIGGER keep_mark AFTER UPDATE OF idle_until ON durable.worker FOR EACH ROW
          WHEN (OLD.heartbeat_at = NEW.heartbeat_at AND NEW.stopped_at IS NULL) EXECUTE FUNCTION public.keep_mark();
        """);
  }

  /** Returns what was said, in order. */
  String all() {
    return scene.database.ask("SELECT coalesce(string_agg(said, ' ' ORDER BY n), '') FROM mark");
  }
}
