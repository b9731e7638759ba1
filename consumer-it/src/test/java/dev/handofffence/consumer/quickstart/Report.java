package dev.handofffence.consumer.quickstart;

import dev.handofffence.consumer.RecordingProvider.Delivery;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints what a run found. */
final class Report {

  private static final String ROW = "  %-44s %-18s %s";

  private final Terminal terminal;

  Report(Terminal terminal) {
    this.terminal = terminal;
  }

  void print(String server, Findings findings) {
    terminal.title("Handoff Fence on " + server);
    terminal.line(
        "Each worker asks the fence right before its effect. The locks are those that a second");
    terminal.line("session finds while the last worker's transaction is still open.");
    int number = 1;
    for (Story story : findings.stories()) {
      print(number++, story);
    }
    terminal.line("");
    terminal.line(
        "  A denial rolls the callback back: its writes are gone, and its row locks are free.");
    compare(findings);
  }

  private void print(int number, Story story) {
    terminal.title(number + "  " + story.title());
    for (Attempt attempt : story.attempts()) {
      String answer = attempt.answer();
      terminal.field(
          attempt.worker(), attempt.isPrepared() ? terminal.good(answer) : terminal.bad(answer));
    }
    locks(story.lastAttempt().locks());
    list("committed", story.committed());
    list("provider got", story.received().stream().map(Report::describe).toList());
    terminal.field("Work is", story.standing());
  }

  /** The locks of the last transaction, as a second session found them while it was open. */
  private void locks(List<HeldLock> held) {
    Map<String, String> namesByMode =
        held.stream()
            .collect(
                Collectors.groupingBy(
                    HeldLock::mode,
                    LinkedHashMap::new,
                    Collectors.mapping(HeldLock::on, Collectors.joining(", "))));
    list(
        "locks held",
        namesByMode.entrySet().stream()
            .map(mode -> "%-18s %s".formatted(mode.getKey(), mode.getValue()))
            .toList());
  }

  private void list(String label, List<String> values) {
    terminal.field(label, values.isEmpty() ? "nothing" : values.get(0));
    values.stream().skip(1).forEach(value -> terminal.field("", value));
  }

  private static String describe(Delivery delivery) {
    return delivery.receipt().logicalOperation() + ", key " + delivery.key();
  }

  private void compare(Findings findings) {
    terminal.title("Calls that the provider got");
    terminal.line(ROW.formatted("", "without the fence", "with it"));
    compare(
        "lease lost, another worker took over", findings.naiveLeaseLost(), findings.leaseLost());
    compare(
        "permission revoked before the effect",
        findings.naivePermissionRevoked(),
        findings.permissionRevoked());
    terminal.line("");
  }

  private void compare(String what, int naive, Story fenced) {
    // Padded before painting: colour codes have no width on the screen, but one in the format.
    terminal.line(
        ROW.formatted(
            what,
            terminal.bad("%-18s".formatted(naive)),
            terminal.good(Integer.toString(fenced.received().size()))));
  }
}
