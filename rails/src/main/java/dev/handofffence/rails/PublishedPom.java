package dev.handofffence.rails;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.xml.sax.SAXException;

/** A pom as a stranger gets it, without this repository around it. */
record PublishedPom(Path file) {

  /** What Maven Central asks of every pom. */
  private static final List<String> DESCRIPTION =
      List.of(
          "name",
          "description",
          "url",
          "inceptionYear",
          "licenses/license/name",
          "licenses/license/url",
          "developers/developer/name",
          "scm/url",
          "scm/connection",
          "scm/developerConnection");

  /** Fails where something else is needed to read it, or what Maven Central asks for is missing. */
  void require() throws IOException {
    String text = Files.readString(file).replace("${project.version}", "");
    if (text.contains("<parent>") || text.contains("${")) {
      throw new RailException("needs its parent: " + file.getFileName());
    }
    Document pom = parse();
    List<String> missing = DESCRIPTION.stream().filter(path -> isEmpty(pom, path)).toList();
    if (!missing.isEmpty()) {
      throw new RailException(file.getFileName() + " does not say " + missing);
    }
  }

  private static boolean isEmpty(Document pom, String path) {
    try {
      String value = XPathFactory.newInstance().newXPath().evaluate("/project/" + path, pom);
      return value.isBlank() || value.equals("scm:git:");
    } catch (XPathExpressionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Ignores namespaces, like the paths above. */
  private Document parse() throws IOException {
    try {
      return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException("Not a pom: " + file, e);
    }
  }
}
