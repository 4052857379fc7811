// What a brief says in numbers and in words that every designer uses. Nothing here names a
// measurement, a country or a tool.

/** A value with a unit, and the words before it. */
export interface Quantity {
  readonly value: number;
  readonly unit: string;
  readonly before: string;
  readonly after: string;
  readonly at: number;
}

/** What the text of a brief says. */
export interface Facts {
  readonly percentiles: readonly number[];
  readonly ages: readonly number[];
  readonly percent: number | undefined;
  readonly quantities: readonly Quantity[];
  readonly gender: 'f' | 'm' | undefined;
  readonly count: number | undefined;
  /** The text without what the other facts hold, for the search of names. */
  readonly rest: string;
}

const FEMALE = /\b(?:women|woman|girls?|females?)\b/i;
const MALE = /\b(?:men|man|boys?|males?)\b/i;
const SMALL_NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six'];

/** Reads the facts of a brief. */
export function factsOf(text: string): Facts {
  let rest = text;
  const take = (pattern: RegExp): RegExpMatchArray[] => {
    const found = [...rest.matchAll(pattern)];
    rest = rest.replace(pattern, ' | ');
    return found;
  };
  const quantities = [...text.matchAll(/(\d+(?:\.\d+)?) ?(mm|cm|kg|lb|inches)\b/g)].map(
    (match) => ({
      value: Number(match[1]),
      unit: match[2] as string,
      before: text.slice(Math.max(0, match.index - 20), match.index),
      after: text.slice(match.index + match[0].length, match.index + match[0].length + 10),
      at: match.index,
    }),
  );
  const ranges = take(/\b(?:aged|ages) (\d+)(?: to |-|–)(\d+)\b/g);
  const single = take(/\b(?:aged|of) (\d+(?:\.\d+)?)(?= years|\b(?! ?(?:mm|cm|kg|lb|%)))/g);
  const ages = [...ranges, ...single].flatMap(([, from, to]) =>
    to === undefined ? [Number(from)] : [Number(from), Number(to)],
  );
  take(/\d+(?:\.\d+)? ?(?:mm|cm|kg|lb)\b/g);
  const percents = take(/\b(\d+(?:\.\d+)?) ?(?:%|percent\b)/g);
  const named = take(/\bpercentile (\d+(?:\.\d+)?)/g).map(([, number]) => Number(number));
  const ordinals = take(/\b(\d+)(?:st|nd|rd|th)\b/g).map(([, number]) => Number(number));
  const median = named.length + ordinals.length === 0 && /\bmedian\b/i.test(text) ? [50] : [];
  const counts = take(/(?<!seed )\b(\d+) (?=people|sizes|cases)/g);
  const counted = counts[0]?.[1];
  const isFemale = FEMALE.test(text);
  const isMale = MALE.test(text);
  take(/\b(?:women|woman|girls?|females?|men|man|boys?|males?)\b/gi);
  return {
    percentiles: [...named, ...ordinals, ...median],
    ages,
    percent: percents.length === 0 ? undefined : Number(percents[0]?.[1]),
    quantities,
    gender: isFemale === isMale ? undefined : isFemale ? 'f' : 'm',
    count: counted === undefined ? undefined : Number(counted),
    rest,
  };
}

/** Words of a text in lower case. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-zà-ü]+/g) ?? [];
}

/** A number in words, as in "two requests". */
export function smallNumber(word: string): number {
  return SMALL_NUMBERS.indexOf(word);
}
