package dev.handofffence.consumer.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.handofffence.consumer.ConsumerDatabase;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The facts that the quickstart shows, and how it shows them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QuickstartTest {

  private final ConsumerDatabase database = ConsumerDatabase.create();
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private Findings findings = new Findings(0, 0, List.of());

  @BeforeAll
  void run() throws SQLException {
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    findings = Quickstart.run(database, new Terminal(out, false));
  }

  @AfterAll
  void close() {
    database.close();
  }

  @Test
  void naiveExecutor_sendsTwiceAndWithoutPermission() {
    assertThat(findings.naiveLeaseLost()).isEqualTo(2);
    assertThat(findings.naivePermissionRevoked()).isOne();
  }

  @Test
  void preparedHandoff_isCommittedAndSent() {
    Story story = findings.sent();

    assertThat(story.attempts()).extracting(Attempt::answer).containsExactly("prepared");
    assertThat(story.committed()).singleElement().asString().contains("attempt 1");
    assertThat(story.received()).hasSize(1);
    assertThat(story.workState()).isEqualTo("succeeded");
  }

  @Test
  void preparedHandoff_holdsTheNativeLocksAndTheAuthority() {
    assertThat(lastLocks(findings.sent()))
        .extracting(HeldLock::on, HeldLock::mode)
        .containsExactly(
            tuple("epoch", "advisory, shared"),
            tuple("scope", "advisory, shared"),
            tuple("work", "FOR NO KEY UPDATE"),
            tuple("dispatch", "FOR KEY SHARE"),
            tuple("permit", "FOR NO KEY UPDATE"),
            tuple("authority", "FOR UPDATE"));
  }

  @Test
  void secondOrder_isDeniedAndKeepsOnlyTheNativeLocks() {
    Story story = findings.orderedTwice();

    assertThat(story.attempts()).extracting(Attempt::isPrepared).containsExactly(true, false);
    assertThat(lastLocks(story))
        .extracting(HeldLock::on)
        .containsExactly("epoch", "scope", "work", "dispatch", "permit");
    assertThat(story.committed()).hasSize(1);
    assertThat(story.received()).hasSize(1);
    assertThat(story.standing()).isEqualTo("ready (denied; tried again later)");
  }

  @Test
  void deadOwner_isRefusedAndHoldsNothing() {
    Story story = findings.leaseLost();

    assertThat(story.attempts())
        .extracting(Attempt::worker, Attempt::answer)
        .containsExactly(
            tuple("worker B", "prepared"),
            tuple("worker A", "refused: DUR104 The claim is no longer current."));
    assertThat(lastLocks(story)).isEmpty();
    assertThat(story.committed()).singleElement().asString().contains("attempt 2");
    assertThat(story.received()).hasSize(1);
    assertThat(story.workState()).isEqualTo("succeeded");
  }

  @Test
  void revokedPermission_isDenied() {
    Story story = findings.permissionRevoked();

    assertThat(story.attempts()).extracting(Attempt::isPrepared).containsExactly(false);
    assertThat(story.committed()).isEmpty();
    assertThat(story.received()).isEmpty();
  }

  @Test
  void report_fitsAScreenAndHasNoColours() {
    String text = printed.toString(StandardCharsets.UTF_8);

    assertThat(text).doesNotContain("\u001b").contains("Handoff Fence on PostgreSQL");
    assertThat(text.lines()).hasSizeLessThan(60);
    assertThat(text.lines())
        .are(new Condition<>(line -> line.length() <= 100, "at most 100 characters"));
  }

  private static List<HeldLock> lastLocks(Story story) {
    return story.attempts().get(story.attempts().size() - 1).locks();
  }
}
