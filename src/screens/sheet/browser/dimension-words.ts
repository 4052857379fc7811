/** The dimensions in a list of words. */
export interface WordedDimensions {
  /** Names of dimensions in the order of the words. Each name occurs once. */
  readonly names: readonly string[];
  /** Words for which nothing was found. */
  readonly unknown: readonly string[];
}

/**
 * Reads a list such as `stature, hip breadth; hand length`. Each part gives its best match.
 *
 * @param find returns the dimensions for a search text, the best first
 */
export function measurementsInWords(
  text: string,
  find: (text: string) => readonly { readonly name: string }[],
): WordedDimensions {
  const parts = text.split(/[,;\n、，]/).map((part) => part.trim());
  const found = parts
    .filter((part) => part !== '')
    .map((part) => ({ part, name: find(part)[0]?.name }));
  return {
    names: [...new Set(found.flatMap(({ name }) => name ?? []))],
    unknown: found.filter(({ name }) => name === undefined).map(({ part }) => part),
  };
}
