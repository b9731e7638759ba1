package dev.handofffence.runtime;

import java.util.Objects;
import java.util.Optional;

/**
 * What one pass of retention did.
 *
 * @param examined Works and identities that it looked at
 * @param removedWorks Works that are gone, with history, permits and result
 * @param removedIdentities acceptances that are forgotten: the same command would be a new one
 * @param removedCommands operators' commands that are forgotten
 * @param removedWorkers workers that are forgotten: a pass that starts at the beginning looks for
 *     them first
 * @param next where the next pass goes on; empty when everything was looked at
 */
public record RetentionResult(
    long examined,
    long removedWorks,
    long removedIdentities,
    long removedCommands,
    long removedWorkers,
    Optional<RetentionPosition> next) {

  /**
   * Checks the values.
   *
   * @param examined Works and identities that it looked at
   * @param removedWorks Works that are gone, with history, permits and result
   * @param removedIdentities acceptances that are forgotten: the same command would be a new one
   * @param removedCommands operators' commands that are forgotten
   * @param removedWorkers workers that are forgotten: a pass that starts at the beginning looks for
   *     them first
   * @param next where the next pass goes on; empty when everything was looked at
   */
  public RetentionResult {
    Objects.requireNonNull(next, "next");
  }
}
