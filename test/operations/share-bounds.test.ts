import { expect, it } from 'vitest';
import { evidence } from '../../src/operations/evidence.js';
import type { Operation } from '../../src/operations/operation.js';
import { populationShare } from '../../src/operations/population-share.js';
import { reachShare } from '../../src/operations/reach-share.js';
import { sizeChart } from '../../src/operations/size-chart.js';
import { validateRequest } from '../../src/operations/validate.js';
import { realModel } from '../support/servers.js';

const model = await realModel();

/** Elbow heights of women of 30 years: grade A in the United States, grade C in Somalia. */
const [KNOWN, UNKNOWN] = ['US', 'SO'];
const measurement = 'ElbowHeight';

const ASKED = [
  [populationShare, { limits: [{ measurement, maxPercentile: 90 }] }],
  [sizeChart, { measurements: [{ measurement, tolerance: 40 }], sizes: 2 }],
  [reachShare, { scene: 'shelf' }],
] as const;

it.each(ASKED.map(([operation, asked]) => [operation.name, operation, asked] as const))(
  '%s has a share between its bounds, which are nearer where the medians are known',
  (_, operation, asked) => {
    const widths = [KNOWN, UNKNOWN].map((country) => {
      const groups = [{ countries: [country], gender: 'Female', ageMin: 30, ageMax: 30 }];
      const input = validateRequest(operation as Operation, { population: { groups }, ...asked });
      const answer = (operation as Operation).run(input, model) as Record<string, number>;
      const { low = 0, high = 0, share = answer.shareServed ?? 0 } = answer;
      expect(low).toBeLessThan(share);
      expect(high).toBeGreaterThanOrEqual(share);
      return high - low;
    });
    expect(widths[1]).toBeGreaterThan(1.5 * (widths[0] ?? 0));
  },
);

it('the bounds of one limit are the shares of people whose median is off by its error', () => {
  const groups = [{ countries: [KNOWN], gender: 'Female', ageMin: 30, ageMax: 30 }];
  const person = { measurement, country: KNOWN, gender: 'Female', age: 30.5 };
  const known = evidence.run(validateRequest(evidence, person), model);
  const shareTo = (max: number) => {
    const asked = { population: { groups }, limits: [{ measurement, max }] };
    return populationShare.run(validateRequest(populationShare, asked), model);
  };
  const error = known.high - known.median;
  const { low, high } = shareTo(1080);
  expect(low).toBeCloseTo(shareTo(1080 - error).share, 3);
  expect(high).toBeCloseTo(shareTo(1080 + error).share, 3);
});
