import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CellFinder, type CellKey } from '../../src/lookup/cell.js';
import { evidenceOf, medianInterval } from '../../src/lookup/evidence.js';
import { Z_COUNT, Z_MEDIAN } from '../../src/lookup/format.js';
import { openArtifact } from '../../src/lookup/open-artifact.js';
import { YearCells } from '../../src/lookup/year-cells.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';
import { TINY_DRIVERS, TINY_LN_MEDIAN_SD, TINY_SLOPES } from '../support/tiny-population.js';

const views = openArtifact(writeTinyArtifact());
const cells = new YearCells(views);
const finder = new CellFinder(views);
const { measurements } = views.manifest.axes;
const index = (name: string) => measurements.indexOf(name);
const key = (part: Partial<CellKey> = {}): CellKey => ({
  ...{ measurement: index('KneeHeight'), gender: 0, country: 0, ageYears: 40 },
  ...{ clothing: 0, posture: 0 },
  ...part,
});
const knots = new Float64Array(Z_COUNT);
const median = (part: Partial<CellKey>, year: number): number => {
  expect(cells.fill(key(part), year, knots)).toBe('ok');
  return knots[Z_MEDIAN] as number;
};
/** Mean and variance of ln D over the knots, with the weights of the normal distribution. */
const moments = () => {
  const weights = Array.from(knots, (_, i) => Math.exp(-0.5 * (-4 + i / 3) ** 2));
  const total = weights.reduce((sum, w) => sum + w, 0);
  const mean = weights.reduce((sum, w, i) => sum + (w * Math.log(knots[i] as number)) / total, 0);
  const variance = weights.reduce((sum, w, i) => {
    return sum + (w * (Math.log(knots[i] as number) - mean) ** 2) / total;
  }, 0);
  return { mean, variance };
};

describe('a cell of another year', () => {
  it('is the cell of the grid in the reference year, in every clothing', () => {
    const own = new Float64Array(Z_COUNT);
    for (const part of [{}, { clothing: 3 }, { ageYears: 4 }, { posture: 1, ageYears: 61.5 }]) {
      expect(cells.fill(key(part), 2025, knots)).toBe('ok');
      finder.fill(key(part), own);
      expect([...knots]).toEqual([...own]);
    }
  });

  it('moves mean and variance of ln D with the covariates', () => {
    const years = fc.integer({ min: 2000, max: 2035 });
    fc.assert(
      fc.property(years, fc.double({ min: 18, max: 120, noNaN: true }), (year, ageYears) => {
        cells.fill(key({ ageYears }), 2025, knots);
        const before = moments();
        expect(cells.fill(key({ ageYears }), year, knots)).toBe('ok');
        const after = moments();
        const of = (name: keyof typeof TINY_DRIVERS, at: number) => TINY_DRIVERS[name](at);
        const shift =
          TINY_SLOPES.stature * (of('ln_stature_mean', year) - of('ln_stature_mean', 2025)) +
          TINY_SLOPES.bmi * (of('ln_bmi_mean', year) - of('ln_bmi_mean', 2025));
        const variance = (at: number) => {
          return (TINY_SLOPES.bmiSpread * of('ln_bmi_sd', at)) ** 2;
        };
        expect(after.mean - before.mean).toBeCloseTo(shift, 4);
        expect(after.variance - before.variance).toBeCloseTo(variance(year) - variance(2025), 4);
        for (let i = 1; i < Z_COUNT; i++) {
          expect(knots[i] as number).toBeGreaterThan(knots[i - 1] as number);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('keeps identities, and how far a median departs from them', () => {
    const departure = (year: number) => {
      const [stature, sitting, leg] = ['Stature', 'SittingHeight', 'LegLength'].map((name) =>
        median({ measurement: index(name) }, year),
      ) as [number, number, number];
      return leg - (stature - sitting);
    };
    for (const year of [2000, 2011, 2035]) expect(departure(year)).toBeCloseTo(departure(2025), 6);
  });

  it('has clothing in proportion to the stature of the year', () => {
    const [nude, dressed] = [median({}, 2000), median({ clothing: 4 }, 2000)];
    const stature = median({ measurement: index('Stature') }, 2000);
    expect(dressed - nude).toBeCloseTo((50 * stature) / 1750, 6);
  });

  it('is refused for children and unknown years', () => {
    expect(cells.fill(key({ ageYears: 17.9 }), 2000, knots)).toBe('year_without_model');
    expect(cells.fill(key(), 1999, knots)).toBe('year_without_model');
    expect(cells.fill(key(), 2036, knots)).toBe('year_without_model');
    expect(cells.fill(key(), Number.NaN, knots)).toBe('year_without_model');
  });
});

describe('BMI and body mass', () => {
  it('are read for every age and moved to other years', () => {
    const bodyMedian = (body: number, part: Partial<CellKey>, year: number) => {
      expect(cells.fillBody(body, key(part), year, knots)).toBe('ok');
      return knots[Z_MEDIAN] as number;
    };
    expect(bodyMedian(0, { ageYears: 1 }, 2025)).toBeCloseTo(26, 4);
    expect(bodyMedian(1, {}, 2025)).toBeCloseTo(75, 4);
    const years = 2035 - 2025;
    expect(Math.log(bodyMedian(0, {}, 2035) / 26)).toBeCloseTo(0.004 * years, 2);
    expect(Math.log(bodyMedian(1, {}, 2035) / 75)).toBeCloseTo((0.004 + 2 * 0.001) * years, 2);
    expect(cells.fillBody(0, key({ ageYears: 1 }), 2035, knots)).toBe('year_without_model');
  });
});

describe('evidence of a cell', () => {
  it('has the worse grade of the two ages, and a 90 % interval', () => {
    expect(evidenceOf(views, key({ ageYears: 18 }))?.grade).toBe('B');
    expect(evidenceOf(views, key({ ageYears: 30 }))?.grade).toBe('C');
    expect(evidenceOf(views, key({ ageYears: 110 }))?.grade).toBe('C');
    const evidence = evidenceOf(views, key({ ageYears: 0 }));
    expect(evidence?.grade).toBe('A');
    expect(evidence?.lnMedianSd).toBeCloseTo(TINY_LN_MEDIAN_SD, 6);
    const [low, high] = medianInterval(1000, evidence ?? { lnMedianSd: NaN, grade: 'D' });
    expect([low, high]).toEqual([expect.closeTo(967.64, 1), expect.closeTo(1033.44, 1)]);
  });
});
