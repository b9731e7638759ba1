package dev.handofffence.internal.pump;

import dev.handofffence.internal.work.Claims;
import dev.handofffence.internal.work.Permits;
import java.util.concurrent.Executor;

/**
 * What all passes of one runtime share.
 *
 * @param executor where application executors run
 * @param signals where they are told that they should stop
 */
record PumpParts(
    RuntimeOptions options,
    Claims claims,
    Permits permits,
    Preparation preparation,
    Slots slots,
    Turns turns,
    Inquiries inquiries,
    Underway underway,
    Executor executor,
    Executor signals) {}
