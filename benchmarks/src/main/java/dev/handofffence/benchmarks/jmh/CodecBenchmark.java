package dev.handofffence.benchmarks.jmh;

import dev.handofffence.work.PayloadCodec;
import dev.handofffence.work.PayloadCodecs;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The codecs that the library brings, on about 100 bytes. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CodecBenchmark {

  /** A payload of an ordinary shape. */
  public record Receipt(String operation, String authority, long amount, String currency) {}

  private final PayloadCodec<Receipt> json = PayloadCodecs.json(Receipt.class);
  private final PayloadCodec<String> text = PayloadCodecs.text();
  private final Receipt receipt = new Receipt("order-4711/receipt", "tenant-7/sales", 1_999, "EUR");
  private final String string = "x".repeat(100);
  private final byte[] encodedReceipt = encode(json, receipt);
  private final byte[] encodedString = encode(text, string);

  private static <T> byte[] encode(PayloadCodec<T> codec, T value) {
    try {
      return codec.encode(value);
    } catch (Exception e) {
      throw new IllegalStateException("Cannot encode the sample", e);
    }
  }

  @Benchmark
  public byte[] jsonEncode() throws Exception {
    return json.encode(receipt);
  }

  @Benchmark
  public Receipt jsonDecode() throws Exception {
    return json.decode(encodedReceipt);
  }

  @Benchmark
  public byte[] textEncode() throws Exception {
    return text.encode(string);
  }

  @Benchmark
  public String textDecode() throws Exception {
    return text.decode(encodedString);
  }
}
