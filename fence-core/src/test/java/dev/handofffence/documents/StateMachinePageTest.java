package dev.handofffence.documents;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.generated.type.SuspendReason;
import dev.handofffence.generated.type.WorkState;
import dev.handofffence.internal.state.WorkTransition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The diagram of docs/state-machine.md has the steps of the code, no more and no fewer. */
class StateMachinePageTest {

  private static final Path PAGE = Path.of("..", "docs", "state-machine.md");
  private static final Pattern STEP = Pattern.compile("(\\w+) --> (\\w+) : (\\w+)");

  @Test
  void diagram_hasTheStepsOfTheCode() throws IOException {
    Set<String> drawn =
        STEP.matcher(Files.readString(PAGE))
            .results()
            .map(step -> step.group(1) + " --" + step.group(3) + "--> " + step.group(2))
            .collect(toSet());
    Set<String> coded =
        Arrays.stream(WorkTransition.values()).flatMap(t -> steps(t)).collect(toSet());

    assertThat(drawn).isEqualTo(coded);
  }

  @Test
  void table_hasEveryReasonOfASuspension() throws IOException {
    assertThat(SuspendReason.values())
        .allSatisfy(
            reason ->
                assertThat(PAGE)
                    .content()
                    .contains("| `" + reason.name().toLowerCase(Locale.ROOT) + "` |"));
  }

  private static Stream<String> steps(WorkTransition transition) {
    return transition.from().stream()
        .map(from -> text(from) + " --" + transition.event() + "--> " + text(transition.to()));
  }

  private static String text(WorkState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }
}
