package dev.handofffence.testing;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a line with latency: what is written arrives a fixed time later, however much is
 * under way.
 */
final class DelayedOutput extends OutputStream {

  /** Bytes and when they are due; none at the end of the line. */
  private static final class Packet {

    private final long dueNanos;
    private final byte @Nullable [] bytes;

    Packet(long dueNanos, byte @Nullable [] bytes) {
      this.dueNanos = dueNanos;
      this.bytes = bytes;
    }
  }

  private final OutputStream target;
  private final long delayNanos;
  private final BlockingQueue<Packet> underWay = new LinkedBlockingQueue<>();
  private final CountDownLatch ended = new CountDownLatch(1);

  DelayedOutput(OutputStream target, Duration delay, WireThreads threads) {
    this.target = target;
    this.delayNanos = delay.toNanos();
    threads.start("wire-delay", this::deliver);
  }

  @Override
  public void write(int b) {
    send(new byte[] {(byte) b});
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    send(Arrays.copyOfRange(bytes, offset, offset + length));
  }

  private void send(byte @Nullable [] bytes) {
    underWay.add(new Packet(System.nanoTime() + delayNanos, bytes));
  }

  /** Returns when all that is under way has arrived. */
  @Override
  public void close() throws IOException {
    send(null);
    try {
      ended.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while the line was emptied");
    }
  }

  private void deliver() throws InterruptedException {
    try {
      for (Packet next = arrived(); next.bytes != null; next = arrived()) {
        target.write(next.bytes);
      }
    } catch (IOException e) {
      // The receiver is gone; the sender learns it from its own side.
    } finally {
      ended.countDown();
    }
  }

  private Packet arrived() throws InterruptedException {
    Packet next = underWay.take();
    TimeUnit.NANOSECONDS.sleep(next.dueNanos - System.nanoTime());
    return next;
  }
}
