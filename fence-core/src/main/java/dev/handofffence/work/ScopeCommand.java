package dev.handofffence.work;

import dev.handofffence.CommandId;
import dev.handofffence.ScopeId;
import java.util.Objects;

/**
 * Who wants something done to a whole scope, and under which identity. Immutable.
 *
 * @param scope the tenant
 * @param commandId unique in the scope; repeating the command is answered with its first outcome
 * @param actor who decides, 1 to 200 characters; kept in the history
 * @param reason why, 1 to 2000 characters; kept in the history
 */
public record ScopeCommand(ScopeId scope, CommandId commandId, String actor, String reason) {

  /**
   * Checks the values.
   *
   * @param scope the tenant
   * @param commandId unique in the scope; repeating the command is answered with its first outcome
   * @param actor who decides, 1 to 200 characters; kept in the history
   * @param reason why, 1 to 2000 characters; kept in the history
   * @throws dev.handofffence.DurableException DUR100 when actor or reason is empty or too long
   */
  public ScopeCommand {
    Objects.requireNonNull(scope, "scope");
    Objects.requireNonNull(commandId, "commandId");
    WorkCommand.checkWhoAndWhy(actor, reason);
  }

  /**
   * {@return the command}
   *
   * @param scope the tenant
   * @param commandId unique in the scope; repeating the command is answered with its first outcome
   * @param actor who decides; kept in the history
   * @param reason why; kept in the history
   */
  public static ScopeCommand of(ScopeId scope, CommandId commandId, String actor, String reason) {
    return new ScopeCommand(scope, commandId, actor, reason);
  }

  /** Returns a text without scope, actor and reason, which may name people. */
  @Override
  public String toString() {
    return "ScopeCommand[" + commandId + "]";
  }
}
