package dev.handofffence.crash;

import dev.handofffence.Problem;
import dev.handofffence.StoreIdentity;
import dev.handofffence.fixture.ChildJvm;
import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.runtime.DurableRuntime;
import dev.handofffence.runtime.PumpPass;
import dev.handofffence.work.ProviderSafety;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The process that is killed or paused: runs passes of the pump and blocks where it was told to.
 *
 * <p>Tells where it is on its standard output, and is told to go on by a line on its standard
 * input.
 */
final class WorkerMain implements Stops {

  private final Stop stop;
  private final CountDownLatch goOn = new CountDownLatch(1);

  private WorkerMain(Stop stop) {
    this.stop = stop;
  }

  /** Arguments: URL, store id, epoch, where to stop, number of passes, items of each. */
  public static void main(String[] arguments) throws InterruptedException {
    WorkerMain worker = new WorkerMain(Stop.valueOf(arguments[3]));
    ChildJvm.endWithParent(worker.goOn::countDown);
    StoreIdentity store =
        StoreIdentity.of(UUID.fromString(arguments[1]), UUID.fromString(arguments[2]));
    DurableRuntime runtime =
        CrashScene.runtime(
            connections(arguments[0], DurableDatabase.RUNTIME),
            connections(arguments[0], DurableDatabase.DISPATCHER),
            store,
            worker);
    PumpPass each = PumpPass.of(Integer.parseInt(arguments[5]));
    for (int pass = 0; pass < Integer.parseInt(arguments[4]); pass++) {
      ChildJvm.say("ended " + runtime.pump().runOnce(each));
    }
    ChildJvm.say("at " + Stop.COMPLETED);
    new CountDownLatch(1).await();
  }

  @Override
  public void reach(Stop reached) throws InterruptedException {
    if (reached == stop) {
      ChildJvm.say("at " + reached);
      goOn.await();
    }
  }

  @Override
  public void refused(ProviderSafety safety, Problem problem) {
    ChildJvm.say("refused " + problem.code() + ' ' + safety);
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
