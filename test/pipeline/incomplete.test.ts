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

  it('and a measurement without a plan or a plan without a measurement is refused', () => {
    const names = [...MEASUREMENT_NAMES, 'TailLength'];
    expect(() => checkPlans(names as never, DIMENSION_PLAN)).toThrow(/TailLength has no plan/);
    const [, ...others] = MEASUREMENT_NAMES;
    expect(() => checkPlans(others, DIMENSION_PLAN)).toThrow(MEASUREMENT_NAMES[0]);
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
