import { describe, expect, it } from 'vitest';
import { csvCells, csvRecords } from '../../clients/typescript/src/csv.js';
import { readBands } from '../../pipeline/study/age-bands.js';
import { readStudyMap } from '../../pipeline/study/study-map.js';
import { isCommonPassword } from '../../src/accounts/common-passwords.js';
import { readEmail } from '../../src/accounts/email-address.js';
import { numberArgument } from '../../src/cli/output.js';
import { typedCountry } from '../../src/cli/typed-fields.js';
import { withoutFormulas } from '../../src/core/formulas.js';
import { parseBody, parseLargeBody } from '../../src/core/json-text.js';
import { networkOf } from '../../src/core/network.js';
import { parseLength, parseMass, questionAboutFeet } from '../../src/core/typed-values.js';
import { earlierRequest } from '../../src/mcp/body-links.js';
import { predict } from '../../src/operations/predict.js';
import { readArguments } from '../../src/operations/tool-arguments.js';
import { saidColumns } from '../../src/people-sheet/open-sheet.js';
import { neededValue } from '../../src/people-sheet/sheet-cells.js';
import { columnOf } from '../../src/people-sheet/sheet-columns.js';
import { unitNamed, withoutUnit } from '../../src/people-sheet/sheet-units.js';
import { tailorsReader } from '../../src/people-sheet/tailors-file.js';
import { readFitView } from '../../src/screens/fit/address.js';
import { readPeople } from '../../src/screens/fit/known-people.js';
import { REACH_ADDRESS } from '../../src/screens/reach/address.js';
import { readPopulations } from '../../src/screens/shared/populations.js';
import { findMeasurements, measurementNamed } from '../../src/search/measurements.js';
import { findNotCovered } from '../../src/search/not-covered.js';
import { populationInWords } from '../../src/search/population-words.js';
import { termsOf } from '../../src/search/terms.js';
import { parseAmount } from '../../src/site/amounts.js';
import { inWords } from '../../src/site/labels.js';

const smis = (description: string): string =>
  `<smis><unit>mm</unit><body-measurements><m name="height" description="${description}"/></body-measurements></smis>`;

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

/** All parsers of text that people, files and programs write. */
const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  parseLength: (text) => parseLength(text, 'mm'),
  parseMass: (text) => parseMass(text, 'kg'),
  parseAmount: (text) => parseAmount(text, 'kg/m²'),
  questionAboutFeet,
  termsOf,
  findMeasurements,
  measurementNamed,
  findNotCovered,
  populationInWords,
  typedCountry,
  numberArgument,
  readArguments: (text) =>
    readArguments(predict, { percentile: text, country: text, measurement: text }, []),
  neededValue: (text) => neededValue('Stature', text, unitNamed('ft')),
  withoutUnit,
  columnOf: (text) => columnOf(text, { unit: undefined, massUnit: undefined }),
  saidColumn: (text) => columnOf('Stature', { unit: 'mm', massUnit: 'kg' }, text),
  saidColumns: (text) => saidColumns(text, new Map()),
  tailorsFile: (text) => tailorsReader('a.smis')?.(text),
  'tailorsFile, description': (text) =>
    tailorsReader('a.smis')?.(smis(text.replace(/[<&"]/g, '_'))).completed(
      new Map([['height', '1']]),
    ),
  'tailorsFile of FreeSewing': (text) =>
    tailorsReader('a.json')?.(JSON.stringify({ measurements: { chest: text, [text]: 1 } })),
  csvCells: (text) => csvCells(text),
  csvRecords: async (text) => {
    for await (const record of csvRecords(bytesOf(text))) expect(record).toBeDefined();
  },
  withoutFormulas,
  parseBody,
  parseLargeBody,
  readBands,
  readStudyMap: (text) => readStudyMap(text, 'map.json'),
  isCommonPassword,
  readEmail,
  networkOf,
  earlierRequest,
  readPeople: (text) => readPeople(text, 'mm'),
  readPopulations: (text) => readPopulations(`p=${text}`),
  readFitView: (text) => readFitView(`known=${text}&limit=${text}&p=${text}`),
  readReachView: (text) => REACH_ADDRESS.read(`target=${text}&see=${text}`),
};

/** Beginnings of lengths, masses, ages, units and cells, with what may follow them for long. */
const STARTS = ['1', 'x', '5 ft', '11 st ', '5-', '(', ',"'];
const FOLLOWING = [' ', '0', '.', ',', '-', 'a'];
/** Texts that some part of a parser may read from many places and then not accept. */
const REPEATED = [
  ...[' ', '\n', '0', '.', ',', '-', '/', '+', '=', '~', '_', '!', '(', '[', '{', '<', '"', "'"],
  ...[';', '&', '\\', '1–', 'a', 'a ', '1 ', '1.', '1,', '米', '\u0301', ' of', 'and ', '> ', '- '],
  ...['x, ', '"\n', ' year', 'aged ', 'winter ', 'see[1] (', ' (', '((', '_cm', '{"a":', '@a.'],
];

/** A sign, and a letter: an expression that ends with `$` must go back from either. */
const ENDINGS = ['!', 'a'];
const KINDS = [
  ...REPEATED.map((one) => ['', one] as const),
  ...STARTS.flatMap((start) => FOLLOWING.map((one) => [start, one] as const)),
].flatMap(([start, one]) => ENDINGS.map((end) => [start, one, end] as const));

/** The least processor time of some calls, in ms. Other threads of this process take processor time too. */
async function leastMs(parse: (text: string) => unknown, text: string, calls = 2): Promise<number> {
  const times = [];
  for (let i = 0; i < calls; i++) {
    const before = process.cpuUsage();
    try {
      await parse(text);
    } catch {
      // A refusal takes time too.
    }
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return Math.min(...times);
}

it('every parser takes about twice the time for twice the text', { timeout: 120_000 }, async () => {
  // An eighth of what the simplest quadratic expression takes for the shorter text.
  const floorMs = (await leastMs((text) => / +$/.test(text), `${' '.repeat(10_000)}x`)) / 8;
  const isSlow = async (parse: (text: string) => unknown, ofChars: (chars: number) => string) => {
    if ((await leastMs(parse, ofChars(10_000), 1)) < floorMs) return false;
    // A quadratic parser takes four times the time each time. A busy machine does not.
    for (let tries = 0; tries < 2; tries++) {
      const onceMs = await leastMs(parse, ofChars(10_000));
      if (onceMs < floorMs || (await leastMs(parse, ofChars(20_000))) < 3 * onceMs) return false;
    }
    return true;
  };
  const slow: string[] = [];
  for (const [name, parse] of Object.entries(PARSERS)) {
    for (const [start, one, end] of KINDS) {
      const ofChars = (chars: number) => `${start}${one.repeat(chars / one.length)}${end}`;
      if (!(await isSlow(parse, ofChars))) continue;
      slow.push(`${name}: ${JSON.stringify(`${start}${one}…${end}`)}`);
      break;
    }
  }
  expect(slow).toEqual([]);
});

describe.each(Object.getOwnPropertyNames(Object.prototype))('the word %s', (word) => {
  const units = { unit: 'mm', massUnit: 'kg' } as const;

  it('is no unit, no gender and no name of a table', () => {
    expect(parseLength(`5 ${word}`, 'mm')).toBeUndefined();
    const person = { statureMm: 1700, name: `Ann ${word}` };
    expect(readPeople(`Ann 1.70 m ${word}`, 'mm')).toEqual({ people: [person] });
    const column = JSON.stringify(columnOf(`Waist (${word})`, units));
    expect(column.replaceAll(word, 'xyz')).toBe(JSON.stringify(columnOf('Waist (xyz)', units)));
    expect(() => tailorsReader('a.smis')?.(smis('').replace('>mm<', `>${word}<`))).toThrow(
      '<unit> is',
    );
    expect(inWords(word)).toMatch(/^.+$/);
  });
});
