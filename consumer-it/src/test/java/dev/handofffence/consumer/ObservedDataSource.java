package dev.handofffence.consumer;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Tells an observer how the transactions of a data source end, one on each connection. */
public final class ObservedDataSource {

  /** Is told on the thread that ends the transaction. */
  public interface Observer {

    /** The transaction is about to be committed or rolled back: its locks are still held. */
    default void ending(Connection transaction) {}

    /** The transaction has been committed. */
    default void committed() {}
  }

  private ObservedDataSource() {}

  public static DataSource of(DataSource source, Observer observer) {
    return proxy(
        DataSource.class,
        (proxy, method, arguments) -> {
          Object result = invoke(source, method, arguments);
          return result instanceof Connection connection
              ? proxy(Connection.class, new Ends(connection, observer))
              : result;
        });
  }

  /** Passes every call on; sees the first commit or rollback. */
  private static final class Ends implements InvocationHandler {

    private final Connection connection;
    private final Observer observer;
    private boolean ended;

    Ends(Connection connection, Observer observer) {
      this.connection = connection;
      this.observer = observer;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
        throws Throwable {
      if (arguments != null || ended || !method.getName().matches("commit|rollback")) {
        return ObservedDataSource.invoke(connection, method, arguments);
      }
      ended = true;
      observer.ending(connection);
      ObservedDataSource.invoke(connection, method, arguments);
      if (method.getName().equals("commit")) {
        observer.committed();
      }
      return null;
    }
  }

  private static @Nullable Object invoke(
      Object target, Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            ObservedDataSource.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
