package dev.handofffence.generated.type;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jooq.impl.AbstractConverter;
import org.jspecify.annotations.Nullable;

/**
 * Maps lower-case text to the constant of the same name.
 *
 * <p>Unlike jOOQ's own enum converter it refuses text that no constant has: a state that this
 * version does not know must not be taken for an absent one.
 *
 * @param <E> the enum
 */
public final class LowerCaseEnumConverter<E extends Enum<E>> extends AbstractConverter<String, E> {

  private static final long serialVersionUID = 1L;

  /** A state is read for every Work: its text is not made anew each time. */
  private final Map<String, E> constants;

  /**
   * Creates the converter of one enum.
   *
   * @param type the enum
   */
  public LowerCaseEnumConverter(Class<E> type) {
    super(String.class, type);
    this.constants =
        Arrays.stream(type.getEnumConstants())
            .collect(Collectors.toUnmodifiableMap(LowerCaseEnumConverter::text, c -> c));
  }

  @Override
  public @Nullable E from(@Nullable String text) {
    if (text == null) {
      return null;
    }
    E constant = constants.get(text);
    if (constant == null) {
      throw new IllegalArgumentException(
          "Unknown "
              + toType().getSimpleName()
              + " '"
              + text
              + "': was the schema migrated further?");
    }
    return constant;
  }

  @Override
  public @Nullable String to(@Nullable E constant) {
    return constant == null ? null : text(constant);
  }

  private static String text(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
