package dev.handofffence.internal.sql;

import static dev.handofffence.generated.Tables.WORK;

import dev.handofffence.generated.type.WorkState;
import dev.handofffence.internal.state.WorkTransition;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.impl.DSL;

/** The states of a transition, inlined. */
final class States {

  private States() {}

  static Field<WorkState> to(WorkTransition transition) {
    return inline(transition.to());
  }

  static Condition is(WorkState state) {
    return WORK.STATE.eq(inline(state));
  }

  /** The Work is in a state from which the transition is legal. */
  static Condition allow(WorkTransition transition) {
    return WORK.STATE.in(transition.from().stream().map(States::inline).toList());
  }

  static Field<WorkState> inline(WorkState state) {
    return DSL.inline(state, WORK.STATE.getDataType());
  }
}
