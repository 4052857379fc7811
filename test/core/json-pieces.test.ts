import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInPieces } from '../../src/core/json-pieces.js';
import { atOnce } from '../../src/core/pieces.js';

/** What a text is parsed to, and the lengths of the texts that were parsed at once. */
function parsed(text: string): { value: unknown; lengths: number[]; pieces: number } {
  const lengths: number[] = [];
  const parse = (part: string): unknown => {
    lengths.push(part.length);
    return JSON.parse(part);
  };
  const generator = parseInPieces(text, parse);
  let pieces = 1;
  for (;;) {
    const { done, value } = generator.next();
    if (done === true) return { value, lengths, pieces };
    pieces++;
  }
}

/** Texts that are so long that their containers are parsed in pieces. */
const long = 'a text with "quotes", {[:,]} and \\ and é '.repeat(300);
const NUMBERS = Array.from({ length: 4500 }, (_, i) => i);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 1.5, '', '"', '\\', 'a,b', '[', '}', long),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', '', '"', 'ü', '}', 'long'), tie('value'), {
      maxKeys: 4,
    }),
    fc.constantFrom(NUMBERS, { NUMBERS }, [NUMBERS, 1]),
  ),
})).value;

describe('a JSON text in pieces', () => {
  it('is the value that it is as a whole, also with blanks and repeated fields', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 1, '\n\t '), (value, blanks) => {
        const text = JSON.stringify(value, undefined, blanks);
        expect(parsed(text).value).toEqual(JSON.parse(text));
        const twice = `{"a":${text},"b":1,"a":${text}}`;
        expect(JSON.stringify(parsed(twice).value)).toBe(JSON.stringify(JSON.parse(twice)));
      }),
      { numRuns: 40 },
    );
  });

  it('is refused where the whole text is', () => {
    const list = `[${'1234567,'.repeat(5000)}0]`;
    const body = `{"requests":[{"a":${list}},{"b":${list}}],"c":${list}}`;
    expect(parsed(body).value).toEqual(JSON.parse(body));
    const faults = fc.record({
      at: fc.oneof(
        fc.nat({ max: body.length }),
        fc.constantFrom(...[...body.matchAll(/[[\]{}:"]/g)].map(({ index }) => index)),
      ),
      removed: fc.nat({ max: 2 }),
      added: fc.constantFrom('', ',', '[', ']', '{', '}', ':', '"', '0', '[],', ' {} ', '\\', 'x'),
    });
    const outcome = (parse: () => unknown): unknown => {
      try {
        return parse();
      } catch (error) {
        return (error as Error).name;
      }
    };
    fc.assert(
      fc.property(faults, ({ at, removed, added }) => {
        const text = body.slice(0, at) + added + body.slice(at + removed);
        const whole = outcome(() => JSON.parse(text));
        expect(outcome(() => parsed(text).value)).toEqual(whole);
      }),
      { numRuns: 120 },
    );
  });

  it('has nothing between a colon and a long value', () => {
    const list = `[${'1234567,'.repeat(5000)}0]`;
    for (const between of ['1', '1.', '-', '1e', '0 ', '"b":']) {
      const text = `{"a":${between}${list}}`;
      expect(() => JSON.parse(text)).toThrow(SyntaxError);
      expect(() => parsed(text), between).toThrow(SyntaxError);
    }
    // Blanks of Unicode that JSON does not know.
    for (const text of [
      `${list}\u00a0`,
      `[${list}\u00a0]`,
      `{"a":${list}\u00a0}`,
      `[\u00a0${list}]`,
    ]) {
      expect(() => parsed(text)).toThrow(SyntaxError);
    }
  });

  it('is never parsed in long pieces, except for single long texts', () => {
    const names = Array.from({ length: 140_000 }, (_, i) => `"Q${i.toString(36)}"`).join();
    const deep = '[['.repeat(6) + names + ']]'.repeat(6);
    for (const text of [`{"requests":[{"input":{"countries":[${names}]}}]}`, deep]) {
      const { value, lengths, pieces } = parsed(text);
      expect(value).toEqual(JSON.parse(text));
      expect(Math.max(...lengths)).toBeLessThan(33_000);
      expect(pieces).toBeGreaterThan(text.length / 33_000);
    }
    const unclosed = `{"a":[${names},`;
    expect(() => atOnce(parseInPieces(unclosed, JSON.parse))).toThrow(SyntaxError);
  });

  it('may consist of so much and no more', () => {
    const fields = Array.from({ length: 501 }, (_, i) => `"f${i}":0`).join();
    const pad = ' '.repeat(20_000);
    expect(() => parsed(`{${fields}}${pad}`)).toThrow('more than 500 fields in one object');
    expect(parsed(`[{${fields.slice(7)}},{}]${pad}`).value).toHaveLength(2);
  });
});
