/** The dimensions in a list of words. */
export interface WordedDimensions {
  /** Names of dimensions in the order of the words. Each name occurs once. */
  readonly names: readonly string[];
  /** Words for which nothing was found. */
  readonly unknown: readonly string[];
}

/**
 * Reads a list such as `stature, hip breadth; hand length`. Each part gives what `find` returns.
 *
 * @param find returns the dimensions that a part names
 */
export function measurementsInWords(
  text: string,
  find: (text: string) => readonly { readonly name: string }[],
): WordedDimensions {
  const parts = text.split(/[,;\n、，]/).map((part) => part.trim());
  const found = parts
    .filter((part) => part !== '')
    .map((part) => ({ part, names: find(part).map(({ name }) => name) }));
  return {
    names: [...new Set(found.flatMap(({ names }) => names))],
    unknown: found.filter(({ names }) => names.length === 0).map(({ part }) => part),
  };
}
