package dev.handofffence.runtime;

import java.util.List;
import java.util.Objects;

/**
 * The settings of a session that bound how long locks are held and waited for (protocol section
 * 10). The host owns them; the library reads and reports them and never sets them.
 *
 * @param settings effective values
 * @param problems empty when the settings are sound
 */
public record SessionReport(List<Setting> settings, List<SessionProblem> problems) {

  /**
   * Checks the values.
   *
   * @param settings effective values
   * @param problems empty when the settings are sound
   */
  public SessionReport {
    settings = List.copyOf(settings);
    problems = List.copyOf(problems);
  }

  /**
   * One setting.
   *
   * @param name of the setting, such as {@code lock_timeout}
   * @param value effective value, times in milliseconds
   * @param source where PostgreSQL has it from, such as {@code role} or {@code configuration file}
   */
  public record Setting(String name, String value, String source) {
    /**
     * Checks the values.
     *
     * @param name of the setting, such as {@code lock_timeout}
     * @param value effective value, times in milliseconds
     * @param source where PostgreSQL has it from, such as {@code role} or {@code configuration
     *     file}
     */
    public Setting {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(value, "value");
      Objects.requireNonNull(source, "source");
    }
  }
}
