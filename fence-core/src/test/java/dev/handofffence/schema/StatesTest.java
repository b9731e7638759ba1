package dev.handofffence.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handofffence.fixture.DurableDatabase;
import dev.handofffence.generated.type.PermitState;
import dev.handofffence.generated.type.ProviderSafety;
import dev.handofffence.generated.type.ScopeState;
import dev.handofffence.generated.type.SuspendReason;
import dev.handofffence.generated.type.WorkState;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** States are written three times: CHECK constraints, generated enums, public enums. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StatesTest {

  /** A list of texts, or one array of them. */
  private static final Pattern TEXTS = Pattern.compile("'\\{?([a-z_,]+)}?'::text");

  private final DurableDatabase database = DurableDatabase.create();

  @AfterAll
  void close() {
    database.close();
  }

  @Test
  void everyStateConstraint_namesTheConstantsOfItsEnum() {
    Map<String, Set<String>> expected =
        Map.of(
            "scope.scope_state_known", texts(ScopeState.values()),
            "scope_history.scope_history_state_known", texts(ScopeState.values()),
            "work.work_state_known", texts(WorkState.values()),
            "work.work_suspend_reason_known", texts(SuspendReason.values()),
            "work_event.work_event_state_known", texts(WorkState.values()),
            "work_snapshot.work_snapshot_safety_known", texts(ProviderSafety.values()),
            "permit.permit_state_known", texts(PermitState.values()));

    assertThat(constraints()).isEqualTo(new TreeMap<>(expected));
  }

  @Test
  void publicEnums_haveTheConstantsOfTheGeneratedOnes() {
    assertThat(texts(dev.handofffence.work.WorkState.values()))
        .isEqualTo(texts(WorkState.values()));
    assertThat(texts(dev.handofffence.work.SuspendReason.values()))
        .isEqualTo(texts(SuspendReason.values()));
    assertThat(texts(dev.handofffence.work.ProviderSafety.values()))
        .isEqualTo(texts(ProviderSafety.values()));
  }

  /** All constraints called {@code ..._known}, so that a new one cannot be forgotten. */
  private Map<String, Set<String>> constraints() {
    String all =
        database.ask(
            """
            SELECT string_agg(k.conrelid::regclass || '.' || k.conname || '='
                || pg_get_constraintdef(k.oid), chr(10))
            FROM pg_constraint k
            WHERE k.connamespace = 'durable'::regnamespace AND k.conname LIKE '%\\_known'
            """);
    return all.lines()
        .collect(
            Collectors.toMap(
                line -> line.substring(0, line.indexOf('=')).replace("durable.", ""),
                line ->
                    TEXTS
                        .matcher(line)
                        .results()
                        .flatMap(found -> Stream.of(found.group(1).split(",")))
                        .collect(Collectors.toCollection(TreeSet::new)),
                (a, b) -> a,
                TreeMap::new));
  }

  private static Set<String> texts(Enum<?>[] constants) {
    return Stream.of(constants)
        .map(constant -> constant.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
