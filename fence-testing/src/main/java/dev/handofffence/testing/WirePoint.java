package dev.handofffence.testing;

import java.util.function.Predicate;

/**
 * A point in the exchange of client and server, named by a statement. The text is what the client
 * sends: of a multi-statement prepared statement each part has its own, of a simple Query it is the
 * whole. An Execute of a statement that was prepared earlier has the text it was prepared with.
 */
public final class WirePoint {

  /** On which side of the server's work the point lies. */
  enum Side {
    /** The server has not received the Execute of the statement. */
    BEFORE,
    /** The server has answered the whole request, and nothing of the answer was delivered. */
    AFTER
  }

  private final Side side;
  private final Predicate<String> statement;
  private final String description;

  private WirePoint(Side side, Predicate<String> statement, String description) {
    this.side = side;
    this.statement = statement;
    this.description = description;
  }

  /**
   * The point where the client has sent a statement and the server has not received it. Earlier
   * statements of the same request are at the server, which executes them without waiting for the
   * rest.
   *
   * @param statement the whole text, without regard to case and surrounding white space
   * @return the point
   */
  public static WirePoint before(String statement) {
    return new WirePoint(Side.BEFORE, isText(statement), statement);
  }

  /**
   * The same point for a statement known by a part of its text.
   *
   * @param statement says whether a text is meant
   * @return the point
   * @see #before(String)
   */
  public static WirePoint before(Predicate<String> statement) {
    return new WirePoint(Side.BEFORE, statement, "a matching statement");
  }

  /**
   * The point where the server has executed the request with a statement to its end, the commit of
   * an implicit transaction included, and the client has got nothing of the answer.
   *
   * @param statement the whole text, without regard to case and surrounding white space
   * @return the point
   */
  public static WirePoint after(String statement) {
    return new WirePoint(Side.AFTER, isText(statement), statement);
  }

  /**
   * The same point for a statement known by a part of its text.
   *
   * @param statement says whether a text is meant
   * @return the point
   * @see #after(String)
   */
  public static WirePoint after(Predicate<String> statement) {
    return new WirePoint(Side.AFTER, statement, "a matching statement");
  }

  private static Predicate<String> isText(String statement) {
    return text -> text.strip().equalsIgnoreCase(statement.strip());
  }

  boolean is(Side asked, String text) {
    return side == asked && statement.test(text);
  }

  @Override
  public String toString() {
    return side + " " + description;
  }
}
