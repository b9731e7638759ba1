package dev.handofffence.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.generated.type.WorkState;
import dev.handofffence.internal.state.WorkTransition;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The state machine in Java agrees with the constraints of the tables. */
class WorkTransitionTest {

  @Test
  void states_areThoseOfTheConstraint() {
    Set<WorkState> used =
        Arrays.stream(WorkTransition.values())
            .flatMap(t -> Stream.concat(Stream.of(t.to()), t.from().stream()))
            .collect(Collectors.toSet());

    assertThat(used).isEqualTo(EnumSet.allOf(WorkState.class));
  }

  @Test
  void states_thatEndAWork_haveNoWayOut() {
    Set<WorkState> left =
        Arrays.stream(WorkTransition.values())
            .flatMap(t -> t.from().stream())
            .collect(Collectors.toSet());

    assertThat(left)
        .containsExactlyInAnyOrder(
            WorkState.READY, WorkState.CLAIMED, WorkState.PERMITTED, WorkState.SUSPENDED);
  }

  @Test
  void states_ofAnOwner_areThoseOfTheConstraint() {
    try (DurableDatabase database = DurableDatabase.create()) {
      String owned = constraint(database, "work_owned_has_an_owner");

      assertThat(owned).contains("claimed", "permitted").doesNotContain("ready");
    }
  }

  @Test
  void events_haveTheFormOfTheConstraint() {
    assertThat(WorkTransition.values())
        .extracting(WorkTransition::event)
        .doesNotHaveDuplicates()
        .allMatch(event -> event.matches("[a-z_]{1,60}"));
  }

  private static String constraint(DurableDatabase database, String name) {
    return database.ask(
        "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = '" + name + "'");
  }
}
