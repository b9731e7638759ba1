package dev.handofffence.internal.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TimeOrderedIdsTest {

  @Test
  void id_isAVersion7UuidThatBeginsWithTheMilliseconds() {
    UUID id =
        new TimeOrderedIds(InstantSource.fixed(Instant.ofEpochMilli(0x0123_4567_89abL))).next();

    assertThat(id.toString()).startsWith("01234567-89ab-7");
    assertThat(id.version()).isEqualTo(7);
    assertThat(id.variant()).isEqualTo(2);
  }

  @Test
  void ids_ofTheSameMillisecondDiffer() {
    TimeOrderedIds ids = new TimeOrderedIds(InstantSource.fixed(Instant.EPOCH));

    List<UUID> made = Stream.generate(ids::next).limit(10_000).toList();

    assertThat(made).doesNotHaveDuplicates();
  }
}
