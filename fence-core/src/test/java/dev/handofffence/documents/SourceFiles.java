package dev.handofffence.documents;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles Java that stands in pages, against what the tests have on their class path. */
final class SourceFiles {

  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** Shared: opening every jar of the class path takes longer than compiling a page. */
  private static final StandardJavaFileManager FILES =
      COMPILER.getStandardFileManager(null, null, StandardCharsets.UTF_8);

  private SourceFiles() {}

  /**
   * Compiles classes together.
   *
   * @param sources by the names of the classes, with their packages
   * @return what the compiler objects to, with the line; empty when it compiled
   */
  static List<String> compile(Map<String, String> sources, Path into) {
    DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
    List<String> options =
        List.of(
            "-proc:none",
            "-d",
            into.toString(),
            "-classpath",
            System.getProperty("java.class.path"));
    List<Source> files =
        sources.entrySet().stream().map(e -> new Source(e.getKey(), e.getValue())).toList();
    COMPILER.getTask(null, FILES, said, options, null, files).call();
    return said.getDiagnostics().stream()
        .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
        .map(each -> "line " + each.getLineNumber() + ": " + each.getMessage(Locale.ROOT))
        .toList();
  }

  private static final class Source extends SimpleJavaFileObject {

    private final String text;

    Source(String name, String text) {
      super(URI.create("string:///" + name.replace('.', '/') + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
