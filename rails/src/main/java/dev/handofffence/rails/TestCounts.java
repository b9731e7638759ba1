package dev.handofffence.rails;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/**
 * Counts of Surefire's reports.
 *
 * @param run all tests that have a report, the skipped ones included
 * @param failed assertions that did not hold
 * @param errors anything else that was thrown
 * @param skipped disabled or aborted by an assumption
 */
record TestCounts(int run, int failed, int errors, int skipped) {

  static final TestCounts NONE = new TestCounts(0, 0, 0, 0);

  /** Counts what lies in the report folders of all modules below a folder. */
  static TestCounts below(Path folder) throws IOException {
    List<Path> reports;
    try (Stream<Path> files = Files.walk(folder)) {
      reports = files.filter(TestCounts::isReport).toList();
    }
    TestCounts sum = NONE;
    for (Path report : reports) {
      sum = sum.plus(of(report));
    }
    return sum;
  }

  private static boolean isReport(Path file) {
    return file.toString().replace('\\', '/').matches(".*/surefire-reports/TEST-[^/]*\\.xml");
  }

  private static TestCounts of(Path report) throws IOException {
    try {
      Element suite =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(report.toFile())
              .getDocumentElement();
      return new TestCounts(
          count(suite, "tests"),
          count(suite, "failures"),
          count(suite, "errors"),
          count(suite, "skipped"));
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException("Not a report: " + report, e);
    }
  }

  private static int count(Element suite, String attribute) {
    return Integer.parseInt(suite.getAttribute(attribute));
  }

  TestCounts plus(TestCounts other) {
    return new TestCounts(
        run + other.run, failed + other.failed, errors + other.errors, skipped + other.skipped);
  }
}
