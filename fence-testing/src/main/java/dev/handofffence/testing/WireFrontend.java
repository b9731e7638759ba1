package dev.handofffence.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/** Relays what the client sends, counts it, and meets the faults before and after statements. */
final class WireFrontend {

  private final WireConnection connection;
  private final WireFaults faults;
  private final WireCounters counters;
  private final WireTrips trips;
  private final WireStatements statements = new WireStatements();

  WireFrontend(
      WireConnection connection, WireFaults faults, WireCounters counters, WireTrips trips) {
    this.connection = connection;
    this.faults = faults;
    this.counters = counters;
    this.trips = trips;
  }

  void relay(WireReader client, OutputStream server) throws IOException {
    for (WireMessage message = client.next(); message != null; message = client.next()) {
      counters.add(WireCount.of(message));
      String statement = statements.executedBy(message);
      if (statement != null) {
        meetFaults(statement, server);
      }
      message.writeTo(server);
      if (message.endsRequest()) {
        trips.requestEnded();
      }
      if (client.isIdle()) {
        server.flush();
      }
    }
  }

  private void meetFaults(String statement, OutputStream server) throws IOException {
    Optional<WireFault> before = faults.take(WirePoint.Side.BEFORE, statement);
    if (before.isPresent()) {
      server.flush(); // the earlier statements of the request are to be executed
      connection.meet(before.get());
    }
    faults.take(WirePoint.Side.AFTER, statement).ifPresent(trips::withholdAnswer);
  }
}
