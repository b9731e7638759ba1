package dev.handofffence.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.CancellationSource;
import dev.handofffence.CancellationToken;
import dev.handofffence.CommandId;
import dev.handofffence.ScopeId;
import dev.handofffence.runtime.DurableRuntime;
import dev.handofffence.runtime.PumpPass;
import dev.handofffence.work.AcceptedWork;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The whole flow through the public surface, with the restricted roles and without jOOQ. */
class PlainSendReceiptTest {

  private static final ScopeId SCOPE = ScopeId.of("shop-1");
  private static final Receipt RECEIPT = new Receipt("r-1", "may-send-r-1", "ada@example.org");

  private final ConsumerDatabase database = ConsumerDatabase.create();
  private final List<String> sent = new ArrayList<>();
  private final AtomicBoolean crash = new AtomicBoolean();

  @AfterEach
  void everyConnectionIsClosed() {
    database.close();
  }

  @Test
  void handoff_isCommittedAndThenSent() throws Exception {
    AcceptedWork work = accept();
    pass(CancellationToken.none(), () -> {});
    assertSent(work, 1);
  }

  @Test
  void revokedAuthority_isDenied() throws Exception {
    accept();
    pass(CancellationToken.none(), () -> desk().revoke(SCOPE, RECEIPT));
    assertNotSent("handoff_denied");
  }

  @Test
  void requestedCancellation_isRefused() throws Exception {
    accept();
    pass(
        CancellationToken.none(),
        () -> database.execute("UPDATE durable.work SET cancel_requested_at = clock_timestamp()"));
    assertNotSent("handoff_refused");
  }

  @Test
  void shutdown_cancelsBeforeTheSend() throws Exception {
    accept();
    CancellationSource shutdown = new CancellationSource();
    pass(shutdown.token(), shutdown::cancel);
    assertNotSent("handoff_cancelled");
  }

  @Test
  void crashBetweenCommitAndSend_isPreparedAgainUnderTheSameKey() throws Exception {
    AcceptedWork work = accept();
    crash.set(true);
    pass(CancellationToken.none(), () -> {});
    assertThat(sent).isEmpty();
    assertThat(ledger()).isEqualTo(work.activityId() + " 1");

    database.execute("UPDATE durable.dispatch SET due_at = clock_timestamp()");
    pass(CancellationToken.none(), () -> {});

    assertSent(work, 2);
  }

  @Test
  void ownClasses_knowNothingOfJooq() throws Exception {
    try (var classes = Files.walk(Path.of("target"))) {
      List<Path> own = classes.filter(path -> path.toString().endsWith(".class")).toList();
      assertThat(own).isNotEmpty().noneMatch(PlainSendReceiptTest::mentionsJooq);
    }
  }

  private static boolean mentionsJooq(Path file) {
    try {
      String text = Files.readString(file, StandardCharsets.ISO_8859_1);
      // Put together at run time, or this class would find itself.
      return text.contains(String.join("/", "org", "jooq"));
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @FunctionalInterface
  private interface Stall {
    void happen() throws Exception;
  }

  private AcceptedWork accept() throws SQLException {
    return desk().request(SCOPE, CommandId.of("order-1"), RECEIPT);
  }

  private PlainDesk desk() {
    return new PlainDesk(database.runtime(), runtime(() -> {}).work());
  }

  private void pass(CancellationToken shutdown, Stall stall) {
    runtime(stall).pump().runOnce(PumpPass.of(1), shutdown);
  }

  private DurableRuntime runtime(Stall stall) {
    return DurableRuntime.builder()
        .runtimeDataSource(database.runtime())
        .dispatcherDataSource(database.dispatcher())
        .store(database.store())
        .register(
            ReceiptWork.SEND,
            invocation -> {
              var executor = new PlainSendReceipt(invocation, database.runtime(), this::send);
              return (work, cancellation) -> {
                stall.happen();
                return executor.execute(work, cancellation);
              };
            })
        .build();
  }

  private String send(
      dev.handofffence.ActivityId key, Receipt receipt, CancellationToken cancellation) {
    if (crash.compareAndSet(true, false)) {
      throw new IllegalStateException("the process died before it sent anything");
    }
    sent.add(key.toString());
    return "sent";
  }

  private String ledger() {
    return database.ask(
        "SELECT coalesce(max(activity_id || ' ' || attempt), '') FROM consumer.ledger");
  }

  private void assertSent(AcceptedWork work, int attempt) {
    assertThat(sent).containsExactly(work.activityId().toString());
    assertThat(ledger()).isEqualTo(work.activityId() + " " + attempt);
    assertThat(database.ask("SELECT state FROM durable.work")).isEqualTo("succeeded");
  }

  private void assertNotSent(String code) {
    assertThat(sent).isEmpty();
    assertThat(ledger()).isEmpty();
    assertThat(
            database.ask(
                "SELECT code FROM durable.work_history WHERE code IS NOT NULL"
                    + " ORDER BY entry DESC LIMIT 1"))
        .isEqualTo(code);
  }
}
