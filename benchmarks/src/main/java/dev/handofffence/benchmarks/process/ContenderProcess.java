package dev.handofffence.benchmarks.process;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.handofffence.benchmarks.contender.Entry;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The main class of a contender's process. It ends when its standard input does. */
public final class ContenderProcess {

  private static final ObjectMapper JSON = new ObjectMapper();

  private ContenderProcess() {}

  /**
   * Serves commands until there are no more.
   *
   * @param args the key of the contender
   */
  public static void main(String[] args) throws IOException {
    PrintStream answers =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    System.setOut(System.err); // whatever a library prints must not mix with the answers
    Driver driver = new Driver(Entry.of(args[0]).contender());
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      answers.println(write(answer(driver, read(line))));
    }
    System.exit(0); // some libraries leave threads behind
  }

  private static Answer answer(Driver driver, Command command) {
    try {
      return driver.run(command);
    } catch (Exception e) {
      return new Answer.Failed(command.getClass().getSimpleName() + ": " + trace(e));
    }
  }

  private static String trace(Exception failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  private static Command read(String line) throws IOException {
    return JSON.readValue(line, Command.class);
  }

  private static String write(@Nullable Answer answer) throws IOException {
    return JSON.writerFor(Answer.class).writeValueAsString(answer);
  }
}
