package dev.handofffence.documents;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.handofffence.documents.Page.Block;
import dev.handofffence.fixture.DurableDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever SQL a page shows runs on a migrated database. The pages call it {@code db}, and its
 * roles {@code durable_...}; since roles belong to the cluster, they have other names here, in a
 * transaction that is rolled back.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SqlSnippetsTest {

  private static final Pattern ROLE =
      Pattern.compile(
          "\\b(durable_(owner|dispatcher|runtime|operator|retention|monitor)|deployer)\\b");

  private final DurableDatabase database = DurableDatabase.create();
  private final String mark = UUID.randomUUID().toString().substring(0, 8);

  @AfterAll
  void close() {
    database.close();
  }

  static List<Page> pagesWithSql() {
    return Page.all().stream().filter(page -> !fragments(page).isEmpty()).toList();
  }

  @ParameterizedTest
  @MethodSource("pagesWithSql")
  void everyStatement_runs(Page page) {
    for (Block fragment : fragments(page)) {
      assertThatCode(() -> run(fragment.text()))
          .as("%s: %s", page, fragment.text())
          .doesNotThrowAnyException();
    }
  }

  private void run(String sql) throws SQLException {
    try (Connection connection = database.superuser().getConnection();
        var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (String role : rolesTakenForGranted(sql)) {
        statement.execute("CREATE ROLE " + named(role));
      }
      statement.execute(named(sql).replaceAll("\\bdb\\b", database.name()));
      connection.rollback();
    }
  }

  private static Set<String> rolesTakenForGranted(String sql) {
    Set<String> roles = new TreeSet<>();
    Matcher named = ROLE.matcher(sql);
    while (named.find()) {
      if (!sql.contains("CREATE ROLE " + named.group())) {
        roles.add(named.group());
      }
    }
    return roles;
  }

  private String named(String sql) {
    return ROLE.matcher(sql).replaceAll("$0_" + mark);
  }

  private static List<Block> fragments(Page page) {
    return page.blocks("sql").stream().filter(block -> block.file().isEmpty()).toList();
  }
}
