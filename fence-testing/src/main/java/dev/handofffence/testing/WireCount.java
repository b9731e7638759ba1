package dev.handofffence.testing;

/**
 * What clients have sent through a {@link WireProxy}, without what it takes to log in.
 *
 * @param roundTrips requests whose answer the client waits for: Sync, FunctionCall and simple
 *     Query, but not the BEGIN and, with autosave, the SAVEPOINT that pgjdbc puts, as simple
 *     Queries, in front of a request and sends together with it
 * @param parses Parse messages: none once the driver has prepared every statement on the server
 * @param executes Execute messages, and simple Query messages, each counted as one statement
 */
public record WireCount(long roundTrips, long parses, long executes) {

  static final WireCount NONE = new WireCount(0, 0, 0);

  private static final WireCount PARSE = new WireCount(0, 1, 0);
  private static final WireCount EXECUTE = new WireCount(0, 0, 1);
  private static final WireCount ROUND_TRIP = new WireCount(1, 0, 0);
  private static final WireCount QUERY = new WireCount(1, 0, 1);

  static WireCount of(WireMessage request) {
    return switch (request.type()) {
      case WireMessage.PARSE -> PARSE;
      case WireMessage.EXECUTE -> EXECUTE;
      case WireMessage.SYNC, WireMessage.FUNCTION_CALL -> ROUND_TRIP;
      case WireMessage.QUERY -> isSentAhead(request.text(0)) ? EXECUTE : QUERY;
      default -> NONE;
    };
  }

  /** Whether the driver goes on without waiting for the answer. */
  private static boolean isSentAhead(String sql) {
    return sql.startsWith("BEGIN") || sql.startsWith("SAVEPOINT PGJDBC_AUTOSAVE");
  }

  /**
   * Returns the sum.
   *
   * @param other the count to add
   * @return both together
   */
  public WireCount plus(WireCount other) {
    return new WireCount(
        roundTrips + other.roundTrips, parses + other.parses, executes + other.executes);
  }

  /**
   * Returns what has been sent since an earlier count.
   *
   * @param earlier the count to subtract
   * @return the difference
   */
  public WireCount minus(WireCount earlier) {
    return new WireCount(
        roundTrips - earlier.roundTrips, parses - earlier.parses, executes - earlier.executes);
  }
}
