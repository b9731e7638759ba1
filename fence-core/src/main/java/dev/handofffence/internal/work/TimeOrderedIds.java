package dev.handofffence.internal.work;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.UUID;

/**
 * Makes version 7 uuids (RFC 9562): milliseconds, then 74 random bits.
 *
 * <p>New rows land at the end of their indexes instead of all over them. The time in an id serves
 * that alone; it is never read back or compared, so that the clock of this machine decides nothing.
 */
final class TimeOrderedIds {

  private final InstantSource clock;
  private final SecureRandom random = new SecureRandom();

  TimeOrderedIds(InstantSource clock) {
    this.clock = clock;
  }

  UUID next() {
    ByteBuffer bits = ByteBuffer.allocate(2 * Long.BYTES);
    random.nextBytes(bits.array());
    long high = (clock.millis() << 16) | 0x7000 | (bits.getLong() & 0x0FFF);
    long low = (bits.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
    return new UUID(high, low);
  }
}
