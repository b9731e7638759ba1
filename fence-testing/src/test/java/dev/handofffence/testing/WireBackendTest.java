package dev.handofffence.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WireBackendTest {

  private final WireTrips trips = new WireTrips();
  private final WireConnection connection =
      new WireConnection(new Socket(), new WireThreads(), new WireFaults(), new WireCounters(null));
  private final ByteArrayOutputStream client = new ByteArrayOutputStream();
  private final ExecutorService thread = Executors.newSingleThreadExecutor();

  @AfterEach
  void close() {
    connection.close();
    thread.shutdownNow();
  }

  @Test
  void withheldAnswer_isDeliveredWholeOrNotAtAll() throws Exception {
    byte[] login = answer("user");
    byte[] first = answer("first");
    byte[] second = answer("second");
    trips.requestEnded(); // the first is answered as ever
    try (WireFault held = new WireFault(WirePoint.after("COMMIT"))) {
      trips.withholdAnswer(held);

      Future<?> relay = thread.submit(() -> relay(concat(login, first, second)));
      held.awaitReached();
      assertThat(client.toByteArray()).isEqualTo(concat(login, first));

      held.release();
      relay.get();
      assertThat(client.toByteArray()).isEqualTo(concat(login, first, second));
    }
  }

  private Void relay(byte[] fromServer) throws IOException {
    WireReader server = new WireReader(new ByteArrayInputStream(fromServer));
    new WireBackend(connection, trips).relay(server, client);
    return null;
  }

  private static byte[] answer(String row) throws IOException {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    new WireMessage('D', row.getBytes(US_ASCII)).writeTo(answer);
    new WireMessage('Z', new byte[] {'I'}).writeTo(answer);
    return answer.toByteArray();
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
