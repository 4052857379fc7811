import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { modelFigures } from '../../pipeline/docs-model.js';
import { fitModel } from '../../pipeline/fit/fit-model.js';
import { countryDrivers } from '../../pipeline/fit/fitted-model.js';
import { lnQuantile } from '../../pipeline/fit/marginal.js';
import { adultModelOf } from '../../pipeline/fit/nhanes-estimator.js';
import { Population } from '../../pipeline/fit/population.js';
import { RawTables } from '../../pipeline/tables/database.js';
import { zOfPercentile } from '../../src/lookup/quantile-curve.js';

const ROOT = join(import.meta.dirname, '../..');
const fit = await fitModel(await RawTables.open(join(ROOT, 'data/raw'), []));

describe('docs/model.md', () => {
  it('shows the figures that `npm run docs` draws', () => {
    const page = readFileSync(join(ROOT, 'docs/model.md'), 'utf8');
    for (const [name, svg] of modelFigures(fit)) {
      expect(page).toContain(`](model/${name})`);
      const drawn = readFileSync(join(ROOT, 'docs/model', name), 'utf8');
      expect(drawn === svg, `docs/model/${name} is out of date: npm run docs`).toBe(true);
    }
  });

  it('names files that exist', () => {
    const page = readFileSync(join(ROOT, 'docs/model.md'), 'utf8');
    const [, table = ''] = page.split('## 16. ');
    const files = [...table.matchAll(/`((?:pipeline|src)\/[^`]+)`/g)].map(([, file = '']) => file);
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('works its example with the numbers of the model', () => {
    const { model } = fit;
    const [gender, country, age, name] = ['Female', 'JP', 70, 'KneeHeight'] as const;
    const us = model.usDrivers(gender, age);
    const drivers = countryDrivers(model, gender, country, age);
    const cohort = new Population(model, gender, country).at(age);
    const adult = model.military[gender].get(name);
    if (adult === undefined) throw new Error(`no military fit of ${name}`);
    const [b1, b2, b3, b4] = adult.slopes;
    const [s, b, a, a2] = adult.centre;
    const loss = model.heightLoss(gender, age);
    const lnYouth = Math.log(Math.exp(drivers.lnStature) + loss);
    const held = adult.oldestYears;
    const marginal = cohort.marginal(name);
    const percentile = (of: number) => Math.exp(lnQuantile(marginal, zOfPercentile(of))).toFixed(1);
    const expected: [quantity: string, value: string][] = [
      ['mean of ln S in the US', us.lnStature.toFixed(4)],
      ['difference of Japan in ln S', (drivers.lnStature - us.lnStature).toFixed(4)],
      ['m_S of Japan', drivers.lnStature.toFixed(4)],
      ['mean of ln B in the US', us.lnBmi.toFixed(4)],
      ['difference of Japan in ln B', (drivers.lnBmi - us.lnBmi).toFixed(4)],
      ['m_B of Japan', drivers.lnBmi.toFixed(4)],
      ['σ_S of Japan', drivers.lnStatureSd.toFixed(4)],
      ['σ_B of Japan', drivers.lnBmiSd.toFixed(4)],
      ['ρ', drivers.rho.toFixed(4)],
      ['loss of height at 70 years, mm', loss.toFixed(1)],
      ['ln S′', lnYouth.toFixed(4)],
      ['level ℓ', adult.level.toFixed(4)],
      ['b₁ (ln S′ − s̄)', (b1 * (lnYouth - s)).toFixed(4)],
      ['b₂ (ln B − b̄)', (b2 * (drivers.lnBmi - b)).toFixed(4)],
      ['b₃ (a − ā) + b₄ (a² − q̄)', (b3 * (held - a) + b4 * (held ** 2 - a2)).toFixed(4)],
      ['shift of Japan by national studies', model.calibration(gender, country, name).toFixed(4)],
      ['mean μ of ln D', marginal.mean.toFixed(4)],
      ['residual SD τ after calibration', adultModelOf(model, cohort, name).residualSd.toFixed(4)],
      ['SD σ of ln D', marginal.sd.toFixed(4)],
      ['skewness γ of ln D', marginal.skew.toFixed(4)],
      ['P5, mm', percentile(5)],
      ['P50, mm', percentile(50)],
      ['P95, mm', percentile(95)],
    ];
    const page = readFileSync(join(ROOT, 'docs/model.md'), 'utf8');
    const [, example = ''] = /^## 3\. Worked example$(.*?)^1\. /ms.exec(page) ?? [];
    const shown = [...example.matchAll(/^\| \d \| (.*) \| (.*) \|$/gm)];
    expect(shown.map(([, quantity, value]) => [quantity, value])).toEqual(expected);
  });
});
