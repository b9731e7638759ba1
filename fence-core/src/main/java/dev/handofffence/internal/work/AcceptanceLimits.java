package dev.handofffence.internal.work;

import dev.handofffence.DurableException;
import dev.handofffence.Problem;

/**
 * What acceptance refuses before any SQL.
 *
 * @param maxPayloadBytes 1 byte to 64 MiB
 */
public record AcceptanceLimits(int maxPayloadBytes) {

  /** One mebibyte: a job carries references, not documents. */
  public static final int STANDARD_PAYLOAD_BYTES = 1 << 20;

  private static final int LARGEST_PAYLOAD_BYTES = 64 << 20;

  public AcceptanceLimits {
    if (maxPayloadBytes < 1 || maxPayloadBytes > LARGEST_PAYLOAD_BYTES) {
      throw new DurableException(
          Problem.INVALID_REQUEST,
          "maxPayloadBytes is " + maxPayloadBytes + "; allowed are 1 to " + LARGEST_PAYLOAD_BYTES);
    }
  }

  public static AcceptanceLimits standard() {
    return new AcceptanceLimits(STANDARD_PAYLOAD_BYTES);
  }
}
