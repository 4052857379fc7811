import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fitModel } from '../../../pipeline/fit/fit-model.js';
import { RawTables } from '../../../pipeline/raw-tables/raw-tables.js';
import { boneSpreads, isUnusual } from '../../../pipeline/research/bone-spreads.js';

const RAW = join(import.meta.dirname, '../../../data/raw');

describe('spreads of bones', () => {
  it('are not moved far by the printed spreads of national studies', async () => {
    const tables = await RawTables.open(RAW, []);
    const { model } = await fitModel(tables).finally(() => tables.close());
    const cells = boneSpreads(model);
    const far = cells.filter(({ ofStudies }) => isUnusual(ofStudies));
    expect(far.map((cell) => `${cell.measurement} ${cell.gender} ${cell.country}`)).toEqual([]);
    const hand = cells.filter(({ measurement }) => measurement === 'HandLength');
    expect(hand.length).toBe(2 * 176);
    // The checker sees a spread that is too wide.
    const wide = boneSpreads({
      ...model,
      spread: (gender, country, name) =>
        country === 'RU' && name === 'HandLength' ? 3 : model.spread(gender, country, name),
    });
    const seen = wide.filter(({ ofStudies }) => isUnusual(ofStudies));
    expect(new Set(seen.map(({ country }) => country))).toEqual(new Set(['RU']));
  }, 120_000);
});
