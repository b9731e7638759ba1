package dev.handofffence.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/** Relays what the server answers, and keeps answers back that a fault is to keep back. */
final class WireBackend {

  private final WireConnection connection;
  private final WireTrips trips;
  private final ByteArrayOutputStream withheld = new ByteArrayOutputStream();

  WireBackend(WireConnection connection, WireTrips trips) {
    this.connection = connection;
    this.trips = trips;
  }

  void relay(WireReader server, OutputStream client) throws IOException {
    for (WireMessage message = server.next(); message != null; message = server.next()) {
      message.writeTo(trips.isAnswerWithheld() ? withheld : client);
      if (message.type() == WireMessage.BACKEND_KEY_DATA) {
        connection.startedBackend(message.number());
      }
      if (message.type() == WireMessage.READY_FOR_QUERY) {
        meetFaults();
        deliver(client);
        trips.answerEnded();
      }
      if (server.isIdle()) {
        client.flush();
      }
    }
    deliver(client); // the server ended instead of answering, and says why
  }

  private void meetFaults() throws IOException {
    Optional<WireFault> fault = trips.takeFault();
    while (fault.isPresent()) {
      connection.meet(fault.get());
      fault = trips.takeFault();
    }
  }

  private void deliver(OutputStream client) throws IOException {
    withheld.writeTo(client);
    withheld.reset();
  }
}
