package dev.handofffence.testing;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The texts of the prepared statements and portals of one connection, so that an Execute without
 * Parse is known again. Confined to one thread.
 */
final class WireStatements {

  private final Map<String, String> statements = new HashMap<>();
  private final Map<String, String> portals = new HashMap<>();

  /** Takes the message in; returns the text of the statement that it executes, if it does. */
  @Nullable String executedBy(WireMessage request) {
    switch (request.type()) {
      case WireMessage.PARSE -> statements.put(request.text(0), request.text(1));
      case WireMessage.BIND -> bind(request.text(0), request.text(1));
      case WireMessage.CLOSE -> close(request.text(0));
      case WireMessage.EXECUTE -> {
        return portals.get(request.text(0));
      }
      case WireMessage.QUERY -> {
        return request.text(0);
      }
      default -> {
        // Says nothing about statements.
      }
    }
    return null;
  }

  private void bind(String portal, String statement) {
    String text = statements.get(statement);
    if (text == null) {
      portals.remove(portal); // the server refuses it, or it was prepared by SQL
    } else {
      portals.put(portal, text);
    }
  }

  /** The name comes after one letter, S for a statement and P for a portal. */
  private void close(String target) {
    Map<String, String> texts = target.startsWith("S") ? statements : portals;
    texts.remove(target.substring(1));
  }
}
