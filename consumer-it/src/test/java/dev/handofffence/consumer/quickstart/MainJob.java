package dev.handofffence.consumer.quickstart;

import dev.handofffence.consumer.ConsumerDatabase;
import java.sql.SQLException;
import java.util.List;

/** The main job in its four endings, and two of them without the fence. */
final class MainJob {

  private final ConsumerDatabase database;

  MainJob(ConsumerDatabase database) {
    this.database = database;
  }

  /** Runs everything, one shop for each ending. */
  Findings run() throws SQLException {
    int sentByDeadOwners = naiveLeaseLost();
    int sentWithoutPermission = naivePermissionRevoked();
    return new Findings(
        sentByDeadOwners,
        sentWithoutPermission,
        List.of(sent(), orderedTwice(), leaseLost(), permissionRevoked()));
  }

  private Story sent() throws SQLException {
    Shop shop = new Shop(database, "shop-1");
    Worker worker = shop.worker("worker");
    shop.order("order-1");
    worker.runOne(Stall.NONE);
    return shop.story("Nothing is in the way: prepared, committed, sent", worker);
  }

  private Story orderedTwice() throws SQLException {
    Shop shop = new Shop(database, "shop-2");
    Worker worker = shop.worker("worker");
    shop.order("order-1");
    worker.runOne(Stall.NONE);
    shop.order("order-1-again");
    worker.runOne(Stall.NONE);
    return shop.story("The same receipt is ordered twice: the second is denied", worker);
  }

  private Story leaseLost() throws SQLException {
    Shop shop = new Shop(database, "shop-3");
    Worker stalled = shop.worker("worker A");
    Worker other = shop.worker("worker B");
    TakeOver takeOver = new TakeOver(other);
    shop.order("order-1");
    stalled.runOne(
        work -> {
          shop.expireLeases();
          takeOver.begin();
        });
    takeOver.finish();
    return shop.story("Worker A stalls, its lease ends, worker B takes over", other, stalled);
  }

  private Story permissionRevoked() throws SQLException {
    Shop shop = new Shop(database, "shop-4");
    Worker worker = shop.worker("worker");
    shop.order("order-1");
    worker.runOne(work -> shop.revokePermission());
    return shop.story("The permission is revoked between acceptance and effect", worker);
  }

  private int naiveLeaseLost() throws SQLException {
    Shop shop = new Shop(database, "shop-5");
    shop.order("order-1");
    shop.worker("worker A")
        .runOneNaively(
            work -> {
              shop.expireLeases();
              shop.worker("worker B").runOneNaively(Stall.NONE);
            });
    return shop.provider().deliveries().size();
  }

  private int naivePermissionRevoked() throws SQLException {
    Shop shop = new Shop(database, "shop-6");
    shop.order("order-1");
    shop.worker("worker").runOneNaively(work -> shop.revokePermission());
    return shop.provider().deliveries().size();
  }
}
