package dev.handofffence.rails;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Starts the Maven that started the rail, on the same JDK. */
final class MavenLauncher {

  private static final boolean WINDOWS = System.getProperty("os.name").startsWith("Windows");

  private final Path home;
  private final List<String> always;
  private final Map<String, String> environment = new LinkedHashMap<>();

  /**
   * @param home of Maven
   * @param always arguments of every call
   */
  MavenLauncher(Path home, List<String> always) {
    this.home = home;
    this.always = List.copyOf(always);
  }

  /** Sets a variable for the processes to come; an empty value takes it away. */
  void setVariable(String name, String value) {
    environment.put(name, value);
  }

  int run(Path directory, List<String> arguments, Path log) {
    List<String> command = new ArrayList<>();
    command.add(home.resolve("bin").resolve(WINDOWS ? "mvn.cmd" : "mvn").toString());
    command.addAll(List.of("-B", "-ntp", "-Dstyle.color=never"));
    command.addAll(always);
    command.addAll(arguments);
    ProcessBuilder process = new ProcessBuilder(command).directory(directory.toFile());
    Map<String, String> variables = process.environment();
    variables.put("JAVA_HOME", System.getProperty("java.home"));
    // The trespassers are judged by the words of the compiler.
    variables.merge("MAVEN_OPTS", "-Duser.language=en", (given, english) -> given + ' ' + english);
    environment.forEach(
        (name, value) -> {
          if (value.isEmpty()) {
            variables.remove(name);
          } else {
            variables.put(name, value);
          }
        });
    return Processes.run(process, log);
  }

  /** Returns what evidence says about machine and tools. */
  Map<String, String> system() {
    Map<String, String> system = new LinkedHashMap<>();
    system.put("java", System.getProperty("java.vm.version"));
    system.put("maven", System.getProperty("rail.mavenVersion", ""));
    system.put("os", System.getProperty("os.name") + ' ' + System.getProperty("os.arch"));
    system.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
    return system;
  }
}
