import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fitChild } from '../../pipeline/fit/children/child-fit.js';
import { DIMENSION_PLAN } from '../../pipeline/plans/dimension-plan.js';
import { RawTables } from '../../pipeline/raw-tables/raw-tables.js';
import { addSubsamples, readSurvey } from '../../pipeline/raw-tables/surveys.js';
import { GENDERS } from '../../src/core/genders.js';
import { MEASUREMENTS } from '../../src/core/measurements.js';

const tables = await RawTables.open(join(import.meta.dirname, '../../data/raw'), []);
const snyder = await readSurvey(tables, 'snyder1977');
await addSubsamples(tables, snyder);

describe.each(GENDERS)('%s children of Snyder 1977', (gender) => {
  it('have plausible slopes on stature and BMI, and a residual spread', () => {
    const wild: string[] = [];
    for (const { name, kind } of MEASUREMENTS) {
      const { childhood } = DIMENSION_PLAN[name];
      if (childhood?.kind !== 'snyder') continue;
      const fit = fitChild(snyder, gender, name, childhood.variable);
      for (let age = 2.5; age <= 18; age += 0.5) {
        const covariates = {
          ...{ lnStature: Math.log(1300), lnStatureSd: 0.045, lnStatureSkew: 0 },
          ...{ lnBmi: Math.log(17), lnBmiSd: 0.15, lnBmiSkew: 0, rho: 0 },
        };
        const model = fit?.at(covariates, age);
        const { slopeStature = NaN, slopeBmi = NaN, residualSd = NaN } = model ?? {};
        // The heights of the foot, and of the iliac crest above the seat, are small and noisy. Fingers do not count as
        // bony here, because they include soft tissue.
        const bony = kind === 'height' || kind === 'length' || kind === 'reach';
        const noisy = name === 'FootHeight' || name === 'SacralHeightSitting';
        const most = !bony ? 0.9 : noisy ? 0.6 : 0.2;
        const plausible = slopeStature > -0.5 && slopeStature < 2.5 && residualSd > 0.006;
        if (!(plausible && Math.abs(slopeBmi) < most)) {
          wild.push(
            `${name} ${age}: ${[slopeStature, slopeBmi, residualSd].map((x) => x.toFixed(3))}`,
          );
        }
      }
    }
    expect(wild).toEqual([]);
  });

  it('have means over the people who were measured', () => {
    // The waist was measured on a third of the children, stature on all of them.
    const group = snyder.group(gender, '8');
    const measured = group?.subsamples.get('WaistHeightStanding');
    expect(measured?.n).toBeLessThan((group?.moment('Stature').n ?? 0) / 2);
    expect(measured?.mean.dimension).toBeCloseTo(
      group?.moment('WaistHeightStanding').tMean ?? Number.NaN,
      2,
    );
    const own = measured?.covariance('dimension', 'stature') ?? Number.NaN;
    const { covariance = () => Number.NaN } = measured ?? {};
    const rho =
      own / Math.sqrt(covariance('dimension', 'dimension') * covariance('stature', 'stature'));
    expect(rho).toBeGreaterThan(0.8);
    expect(rho).toBeLessThan(0.99);
  });
});
