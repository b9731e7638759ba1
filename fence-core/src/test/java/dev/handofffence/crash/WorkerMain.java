package dev.handofffence.crash;

import dev.handofffence.Problem;
import dev.handofffence.StoreIdentity;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.runtime.DurableRuntime;
import dev.handofffence.runtime.PumpPass;
import dev.handofffence.work.ProviderSafety;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The process that is killed or paused: runs passes of the pump and blocks where it was told to.
 *
 * <p>Tells where it is on its standard output. On its standard input it is told to go on, and it
 * ends when that is closed, so that it does not survive its parent.
 */
final class WorkerMain implements Stops {

  private final Stop stop;
  private final CountDownLatch goOn = new CountDownLatch(1);

  private WorkerMain(Stop stop) {
    this.stop = stop;
  }

  /** Arguments: URL, store id, epoch, where to stop, number of passes. */
  public static void main(String[] arguments) throws InterruptedException {
    WorkerMain worker = new WorkerMain(Stop.valueOf(arguments[3]));
    Thread listener = new Thread(worker::listen, "standard-input");
    listener.setDaemon(true);
    listener.start();
    StoreIdentity store =
        StoreIdentity.of(UUID.fromString(arguments[1]), UUID.fromString(arguments[2]));
    DurableRuntime runtime =
        CrashScene.runtime(
            connections(arguments[0], DurableDatabase.RUNTIME),
            connections(arguments[0], DurableDatabase.DISPATCHER),
            store,
            worker);
    for (int pass = 0; pass < Integer.parseInt(arguments[4]); pass++) {
      say("ended " + runtime.pump().runOnce(PumpPass.of(100)));
    }
    say("at " + Stop.COMPLETED);
    new CountDownLatch(1).await();
  }

  @Override
  public void reach(Stop reached) throws InterruptedException {
    if (reached == stop) {
      say("at " + reached);
      goOn.await();
    }
  }

  @Override
  public void refused(ProviderSafety safety, Problem problem) {
    say("refused " + problem.code() + ' ' + safety);
  }

  private void listen() {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      while (in.readLine() != null) {
        goOn.countDown();
      }
    } catch (IOException e) {
      say("standard input failed");
    }
    Runtime.getRuntime().halt(1);
  }

  /** One write each, so that lines of several threads do not mix. */
  private static void say(String line) {
    System.out.print(WorkerProcess.MARK + line + '\n');
    System.out.flush();
  }

  private static DataSource connections(String url, String role) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url);
    source.setUser(role);
    source.setPassword(DurableDatabase.PASSWORD);
    source.setApplicationName(WorkerProcess.APPLICATION);
    return source;
  }
}
