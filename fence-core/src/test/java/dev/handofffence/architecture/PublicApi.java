package dev.handofffence.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The exported types and their members as text: whoever changes a line changes the API. */
final class PublicApi {

  private final Path classes;

  /**
   * @param classes the folder of the compiled library
   */
  PublicApi(Path classes) {
    this.classes = classes;
  }

  /** Returns one line for each type and each member, in the order of their names. */
  String text(String... packages) {
    return Stream.of(packages)
        .flatMap(this::typesOf)
        .filter(PublicApi::isVisible)
        .flatMap(PublicApi::lines)
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private Stream<Class<?>> typesOf(String packageName) {
    Path folder = classes.resolve(packageName.replace('.', '/'));
    try (Stream<Path> files = Files.list(folder)) {
      List<String> names =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".class") && !name.equals("package-info.class"))
              .map(name -> packageName + '.' + name.substring(0, name.length() - 6))
              .sorted()
              .toList();
      return names.stream().map(PublicApi::load);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, PublicApi.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isVisible(Class<?> type) {
    Class<?> outer = type.getDeclaringClass();
    return isVisible(type.getModifiers())
        && !type.isAnonymousClass()
        && !type.isLocalClass()
        && (outer == null || isVisible(outer));
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static Stream<String> lines(Class<?> type) {
    Stream<Member> members =
        Stream.of(
                type.getDeclaredConstructors(), type.getDeclaredFields(), type.getDeclaredMethods())
            .flatMap(Arrays::stream);
    return Stream.concat(
        Stream.of(header(type)),
        members
            .filter(member -> isVisible(member.getModifiers()) && !member.isSynthetic())
            .map(member -> "  " + text(member))
            .sorted());
  }

  private static String header(Class<?> type) {
    String permitted =
        type.isSealed() ? " permits " + names(type.getPermittedSubclasses(), Class::getName) : "";
    Type parent = type.getGenericSuperclass();
    String extended = parent == null ? "" : " extends " + parent.getTypeName();
    // Later JDKs say sealed as well; what a type permits stands at the end of the line.
    return type.toGenericString().replaceFirst(" (non-)?sealed ", " ")
        + extended
        + " implements "
        + names(type.getGenericInterfaces(), Type::getTypeName)
        + permitted;
  }

  private static <T> String names(T[] types, Function<T, String> name) {
    return Stream.of(types).map(name).sorted().collect(Collectors.joining(", ", "(", ")"));
  }

  private static String text(Member member) {
    if (member instanceof Field field) {
      return field.toGenericString();
    }
    Executable executable = member instanceof Method method ? method : (Constructor<?>) member;
    return executable.toGenericString();
  }
}
