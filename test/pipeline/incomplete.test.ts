import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkCountries } from '../../pipeline/fit/covariates/country-check.js';
import { checkPlans, checkProfiles } from '../../pipeline/plans/build-fault.js';
import { DIMENSION_PLAN } from '../../pipeline/plans/dimension-plan.js';
import { POSTURE_RULES } from '../../pipeline/plans/profile-rules.js';
import { RawTables } from '../../pipeline/raw-tables/raw-tables.js';
import { COUNTRIES } from '../../src/core/countries.js';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import { POSTURE_IDS } from '../../src/core/profiles.js';
import { ROOT } from '../support/build.js';
import { useChangedProgram } from './changed-program.js';

const buildWith = useChangedProgram();

describe('a build of an incomplete program', () => {
  it('names the file of the rules of a clothing profile', () => {
    const end = `  },\n] as const;\n\n/** Posture profiles`;
    const added = `  },\n  { id: 'diving', definition: 'A diving suit.' },\n] as const;\n\n/** Posture profiles`;
    const { code, text } = buildWith('src/core/profiles.ts', end, added);
    expect(code).toBe(1);
    expect(text).toContain(
      'The profile diving has no rule. Add at least one to CLOTHING_RULES in pipeline/plans/profile-rules.ts.',
    );
    expect(text).not.toContain('    at ');
  });

  it('names the files of the covariates of a country', () => {
    const first = "  ['US', 'USA', 'United States of America'],\n";
    const added = `${first}  ['XK', 'XKX', 'Kosovo'],\n`;
    const { code, text } = buildWith('src/core/countries.ts', first, added);
    expect(code).toBe(1);
    expect(text).toContain('The country XK has no region. Add it to src/core/regions.ts.');
    for (const [what, source] of [
      ['stature and growth region', 'ncdrisc-2020/height_at_19'],
      ['BMI', 'ncdrisc-2024-bmi/bmi_gamma'],
      ['head count', 'wpp2022/population'],
    ]) {
      expect(text).toContain(
        `The country XK has no ${what} in ${join(ROOT, `data/raw/${source}.csv`)}`,
      );
    }
    expect(text).toContain('Check its code XKX in src/core/countries.ts and run npm run import');
  });

  it('names the file of the plan of a measurement', () => {
    const plan = '  CrotchHeight: plan(';
    const { code, text } = buildWith('pipeline/plans/dimension-plan.ts', plan, '  Crotch: plan(');
    expect(code).toBe(1);
    expect(text).toContain(
      'The measurement CrotchHeight has no plan. Add one to DIMENSION_PLAN in pipeline/plans/dimension-plan.ts.',
    );
    expect(text).toContain(
      'The plan Crotch in pipeline/plans/dimension-plan.ts has no measurement.',
    );
  });
});

describe('the present program is complete', () => {
  it('for plans, postures and countries, also without optional sources', async () => {
    expect(() => checkPlans(MEASUREMENT_NAMES, DIMENSION_PLAN)).not.toThrow();
    expect(() => checkProfiles('POSTURE_RULES', POSTURE_IDS, POSTURE_RULES)).not.toThrow();
    for (const without of [[], ['ncdrisc-2020'], ['ncdrisc-2016', 'ncdrisc-2024-bmi']]) {
      const tables = await RawTables.open(join(ROOT, 'data/raw'), without);
      await expect(checkCountries(tables)).resolves.toBeUndefined();
      tables.close();
    }
  });

  it('and a rule of an unknown posture or a posture without rules is refused', () => {
    const ids = [...POSTURE_IDS, 'kneeling'];
    expect(() => checkProfiles('POSTURE_RULES', ids, POSTURE_RULES)).toThrow(
      /kneeling has no rule/,
    );
    const rules = [...POSTURE_RULES, { profiles: ['kneeling'] }];
    expect(() => checkProfiles('POSTURE_RULES', POSTURE_IDS, rules)).toThrow(
      /names the profile kneeling\. Add it to src\/core\/profiles\.ts/,
    );
  });

  it('and a country that is missing in one table is refused by name', async () => {
    const tables = await RawTables.open(join(ROOT, 'data/raw'), []);
    const more = [...COUNTRIES, { code: 'XX', iso3: 'XXX' }];
    await expect(checkCountries(tables, more)).rejects.toThrow(/The country XX has no head count/);
    tables.close();
  });
});
