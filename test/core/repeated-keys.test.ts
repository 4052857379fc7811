import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/core/errors.js';
import { atOnce } from '../../src/core/pieces.js';
import { refuseRepeatedKeys, refuseRepeatedKeysOf } from '../../src/core/repeated-keys.js';

/** Where a text names a member again, by both ways; undefined where it does not. */
function repeatedAt(text: string): string | undefined {
  const found = [
    () => atOnce(refuseRepeatedKeys(text)),
    () => refuseRepeatedKeysOf(JSON.parse(text), text),
  ].map((refuse) => {
    try {
      return refuse();
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
    [`${'['.repeat(8000)}{"b":1,"b":1}${']'.repeat(8000)}`, `${'/0'.repeat(8000)}/b`],
    [`{"${'n'.repeat(200_000)}":1,"b":[],"b":[]}`, '/b'],
  ])('is refused with its place: %s', (text, pointer) => {
    expect(repeatedAt(text)).toBe(pointer);
  });

  it('says which name, shortened', () => {
    const name = 'n'.repeat(1000);
    expect(() => atOnce(refuseRepeatedKeys(`{"${name}":1,"${name}":2}`))).toThrow(
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

it('a long text is looked at in pieces', () => {
  const text = JSON.stringify({
    requests: Array.from({ length: 20_000 }, (_, i) => ({ id: i, a: '":' })),
  });
  let pieces = 0;
  for (const _ of refuseRepeatedKeys(text)) pieces++;
  expect(pieces).toBe(Math.floor(text.length / (64 * 1024)));
});
