import synonyms from './synonyms.json' with { type: 'json' };

/** Words that carry no meaning for a measurement. If a search has only such words, they are used. */
const FILLERS = new Set(
  `da das de dei del della der des die dos du el et la las le les los und y
  a an and ansur are as at average be best big can common correct dimension do does fit fits for from
  good how i ideal if in is iso it its large long-enough measure measured measurement measuring much must
  my need needed needs of on one or our people person personal recommended right s should size sized sizes
  sizing small someone somebody standard suitable that the their there this to typical us use used user
  we what when where which while who whole will with you your`.split(/\s+/),
);

/** Words that have the same meaning in every context, each with the words that replace it. */
const SAME: ReadonlyMap<string, string> = new Map(
  Object.entries(synonyms).flatMap(([to, words]) =>
    words.split(' ').map((word) => [word, to] as const),
  ),
);

/** Scripts without spaces between words: Han and kana. Two of their letters form a term. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+$/u;
const UNSPACED_RUNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+/gu;

/**
 * A text without capitals, accents, apostrophes and short articles (`l’`). Words in camel case are separated, and `ß`
 * becomes `ss`.
 */
export function plainText(text: string): string {
  return text
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/(?<!\p{L})[dl]['’](?=\p{L})/gu, '')
    .replace(/[\u0300-\u036f'’ʼ]/g, '')
    .normalize('NFC')
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o');
}

/** Letters and digits of a text, without accents and capitals, in words with one space between. */
export function wordsOf(text: string): string {
  return plainText(text)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

/**
 * The terms by which a text is found: words without plural endings and fillers, one word for all synonyms, and pairs of
 * Chinese or Japanese letters. A code such as `6.1.2` is one term.
 */
export function termsOf(text: string): string[] {
  const words = plainText(text)
    .replace(UNSPACED_RUNS, ' $& ')
    .split(/[^\p{L}\p{M}\p{N}.]+/u)
    .map((word) => word.replace(/^\.+|(?<!\.)\.+$/g, ''))
    .flatMap((word) => (/^\d+(\.\d+)+$/.test(word) ? [word] : word.split('.')))
    .filter((word) => word !== '');
  const telling = words.filter((word) => !FILLERS.has(word));
  return (telling.length === 0 ? words : telling).flatMap(canonical);
}

/** The terms of a word in lower case without accents. A filler has none. */
export function termsOfWord(word: string): string[] {
  return FILLERS.has(word) ? [] : canonical(word);
}

function canonical(word: string): string[] {
  if (UNSPACED.test(word)) return pairsOf(word);
  const same = SAME.get(word) ?? SAME.get(singular(word));
  if (same !== undefined) return same.split(' ').map(singular);
  return [singular(word)];
}

function singular(word: string): string {
  return word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

function pairsOf(word: string): string[] {
  const letters = [...word];
  if (letters.length < 3) return [word];
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
}
