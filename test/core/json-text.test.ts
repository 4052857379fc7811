import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/core/errors.js';
import { parseBody, parseLargeBody } from '../../src/core/json-text.js';

/** The place at which a text repeats the name of a member, found by both parsers; undefined if no name is repeated. */
function repeatedAt(text: string): string | undefined {
  const found = [parseBody, parseLargeBody].map((parse) => {
    try {
      expect(parse(text)).toEqual(JSON.parse(text));
      return undefined;
    } catch (problem) {
      expect(problem).toBeInstanceOf(Problem);
      expect((problem as Problem).status).toBe(400);
      return (problem as Problem).extras.errors?.[0]?.pointer;
    }
  });
  expect(found[0]).toBe(found[1]);
  return found[0] as string | undefined;
}

describe('a JSON text that names a member twice', () => {
  it.each([
    ['{"a":1,"a":2}', '/a'],
    ['{"a":1,"b":{"a":1},"a":1}', '/a'],
    ['{"a":[{"b":1},{"c":[1,{"d":1,"e":2,"d":1}]}]}', '/a/1/c/1/d'],
    ['[{},{"a":1},{"a":1,"a":1}]', '/2/a'],
    ['{"a":1,"\\u0061":2}', '/a'],
    ['{"":1,"":2}', '/'],
    ['{"a/b":{"~":1,"~":1}}', '/a~1b/~0'],
    ['{"a":"a","b" :\n"a\\":", "c":{ } , "b"\t: null}', '/b'],
    ['{"a":{"x":1},"a":{"y":1}}', '/a'],
    [`${'['.repeat(31)}{"b":1,"b":1}${']'.repeat(31)}`, `${'/0'.repeat(31)}/b`],
    [`{"${'n'.repeat(200_000)}":1,"b":[],"b":[]}`, '/b'],
  ])('is refused with its place: %s', (text, pointer) => {
    expect(repeatedAt(text)).toBe(pointer);
  });

  it('says which name, shortened', () => {
    const name = 'n'.repeat(1000);
    expect(() => parseBody(`{"${name}":1,"${name}":2}`)).toThrow(
      `"${'n'.repeat(80)}…" is given more than once in the same JSON object.`,
    );
  });

  it('is any with a repeated member, and no other', () => {
    const name = fc.constantFrom('a', 'b', '', '"', '\\', ':', '{', 'ü', '"a":1,', '0');
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, true, 1.5, '', '"', '":', '\\', 'a":1,"a'),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(name, tie('value'), { maxKeys: 4 }),
      ),
    }));
    const blanks = fc.constantFrom(undefined, 1, '\n\t ');
    fc.assert(
      fc.property(value, value, name, blanks, (one, other, key, blank) => {
        const text = JSON.stringify(one, undefined, blank);
        expect(repeatedAt(text)).toBe(undefined);
        const written = JSON.stringify(key);
        const twice = `[0,{${written}:${text},${written} : ${JSON.stringify(other)}}]`;
        const pointer = key.replaceAll('~', '~0').replaceAll('/', '~1');
        expect(repeatedAt(twice)).toBe(`/1/${pointer}`);
      }),
      { seed: 42, numRuns: 200 },
    );
  });
});

it('a small text may be nested deeply', () => {
  const deep = `${'['.repeat(8000)}{"b":1,"b":1}${']'.repeat(8000)}`;
  expect(() => parseBody(deep)).toThrow('"b" is given more than once');
});

describe('a text', () => {
  it.each([
    ['', 'The body is empty; send a JSON object.'],
    ['{"a":', 'The body is not valid JSON, or holds a forbidden property name.'],
    ['{"a":1} x', 'The body is not valid JSON'],
    ['{"__proto__":{"a":1}}', 'a forbidden property name'],
    ['{"constructor":{"prototype":{}}}', 'a forbidden property name'],
  ])('is refused: %s', (text, why) => {
    for (const parse of [parseBody, parseLargeBody]) expect(() => parse(text)).toThrow(why);
  });
});

describe('a large text', () => {
  const fields = (count: number) => Array.from({ length: count }, (_, i) => `"f${i}":0`).join();
  const objects = (count: number, text: string) => `[${Array(count).fill(text).join()}]`;

  it.each([
    ['500 fields in one object', `{${fields(500)}}`, `{${fields(501)}}`],
    ['10000 objects and lists', objects(9999, '{}'), objects(10_000, '{}')],
    ['25000 fields', objects(50, `{${fields(500)}}`), objects(51, `{${fields(500)}}`)],
    ['250000 values', objects(250_000, '0'), objects(250_001, '0')],
    ['32 levels', '['.repeat(32) + ']'.repeat(32), '['.repeat(33) + ']'.repeat(33)],
  ])('may have %s and no more', (what, most, more) => {
    expect(parseLargeBody(most)).toEqual(JSON.parse(most));
    expect(() => parseLargeBody(more)).toThrow(`The body has more than ${what}.`);
    expect(parseBody(more)).toEqual(JSON.parse(more));
  });

  it('may have braces in its texts', () => {
    const text = JSON.stringify({ a: '{[:,'.repeat(100_000), 'b"{': ['\\"[', ':'] });
    expect(parseLargeBody(text)).toEqual(JSON.parse(text));
  });
});
