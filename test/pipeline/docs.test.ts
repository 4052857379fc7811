import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  COUNTED_FILES,
  measurementsPage,
  readingsModule,
  withCounts,
  withReachErrors,
} from '../../pipeline/docs.js';
import { RawTables } from '../../pipeline/raw-tables/raw-tables.js';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import { readingOf } from '../../src/core/readings.js';

describe('src/core/readings.ts', () => {
  it('is what `npx tsx pipeline/docs.ts` writes, and agrees with the page of readings', () => {
    const file = readFileSync(new URL('../../src/core/readings.ts', import.meta.url), 'utf8');
    expect(file).toBe(readingsModule());
    const rows = measurementsPage().matchAll(
      /^\| (\w+) \| [^|]+ \| (direct|derived|ratio|proxy) \|/gm,
    );
    const read = [...rows].map(([, name = '', quality]) => [name, readingOf(name), quality]);
    expect(read).toHaveLength(MEASUREMENT_NAMES.length);
    for (const [, reading, quality] of read) expect(reading).toBe(quality);
  });
});

describe('the numbers of measurements and countries', () => {
  it.each(COUNTED_FILES)('in %s are those that `npm run docs` writes', (file) => {
    const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
    expect(text).toBe(withCounts(text));
    const outdated = text.replace(`${MEASUREMENT_NAMES.length} `, '7 ');
    expect(outdated).not.toBe(text);
    expect(withCounts(outdated)).toBe(text);
  });
});

describe('docs/reach.md', () => {
  it('has the errors that `npm run docs` writes', async () => {
    const page = readFileSync(new URL('../../docs/reach.md', import.meta.url), 'utf8');
    const raw = await RawTables.open('data/raw', []);
    const rows = await raw.rows('ansur1-reach', 'pairs', 'gender, age_group, half, a, b');
    raw.close();
    expect(page).toBe(withReachErrors(page, rows));
    expect(page).toMatch(/\| Sideways reach \(Span\) \| Female \| -?[\d.]+ ± [\d.]+ \(\d+\) \|/);
  });
});
