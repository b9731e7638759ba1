package dev.handofffence.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.benchmarks.contender.Entry;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class SvgChartTest {

  @Test
  void chart_isWellFormedAndHasABarForEveryFigure() throws Exception {
    Results results = new Results();
    results.add(Entry.FENCE, Metric.DRAIN_8, 200);
    results.add(Entry.DB_SCHEDULER, Metric.DRAIN_8, 100);
    results.add(Entry.FENCE, Metric.PICK_UP_P50, 3);

    Document chart = parse(new SvgChart(ThroughputPanels.of(results)).text());

    int background = 1;
    assertThat(chart.getElementsByTagName("rect").getLength()).isEqualTo(background + 3);
  }

  @Test
  void chart_keepsLongLabelsOffTheBars() throws Exception {
    String label = "x".repeat(100);
    Grid grid = new Grid("drain");
    grid.add(Entry.FENCE, label, 200);

    Element bar = bar(parse(new SvgChart(List.of(grid.panel())).text()));

    int widestCharacter = 7;
    assertThat(Integer.parseInt(bar.getAttribute("x")))
        .isGreaterThan((Entry.FENCE.title() + ": " + label).length() * widestCharacter);
  }

  private static Element bar(Document chart) {
    return (Element) chart.getElementsByTagName("rect").item(1);
  }

  private static Document parse(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }
}
