package dev.handofffence.benchmarks.process;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** CPU time of this process, of compiler and collector as well. */
final class Cpu {

  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private Cpu() {}

  static long processNanos() {
    return SYSTEM.getProcessCpuTime();
  }
}
