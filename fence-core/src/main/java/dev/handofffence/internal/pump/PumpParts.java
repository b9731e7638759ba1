package dev.handofffence.internal.pump;

import dev.handofffence.internal.work.Claims;
import dev.handofffence.internal.work.Permits;
import java.util.concurrent.Executor;

/** What all passes of one runtime share. */
record PumpParts(
    RuntimeOptions options,
    Claims claims,
    Permits permits,
    Preparation preparation,
    Slots slots,
    Executor executor) {}
