import { rollup } from 'd3-array';
import { perGender } from '../../../src/core/genders.js';
import type { ByAge } from '../../model/covariates.js';
import { interpolate } from '../../numerics/numbers.js';
import type { Survey } from '../../raw-tables/surveys.js';

/** Oldest age at which NHANES gives the arm; Snyder 1977 gives it from 2.5 years. */
const OLDEST = 4;

/**
 * ln of the upper arm's share of length by age. Length is measured lying under 2 years and standing above.
 * The data are NHANES 1999–2006 and 2011–2023 by group of months, from acromion to olecranon with the elbow
 * bent. People of both periods have the same weight. The curve is linear between the groups, and constant
 * below the youngest group (about 2 months, 122 people).
 */
export function infantArmShare(nhanes: Survey): ByAge {
  const curves = perGender((gender) => {
    const groups = nhanes.groupsOf(gender).flatMap(([name, group]) => {
      const arm = group.moments.get('AcromionOlecranonLength');
      const age = group.moment('AgeYears').mean;
      if (arm === undefined || age > OLDEST) return [];
      const share = arm.tMean - group.moment('Stature').tMean;
      return [{ ages: name.slice(name.indexOf('/')), n: arm.n, age, share }];
    });
    const pooled = rollup(
      groups,
      (both) => {
        const n = both.reduce((sum, one) => sum + one.n, 0);
        const mean = (pick: 'age' | 'share') =>
          both.reduce((sum, one) => sum + one.n * one[pick], 0) / n;
        return { age: mean('age'), share: mean('share') };
      },
      ({ ages }) => ages,
    );
    return [...pooled.values()].sort((a, b) => a.age - b.age);
  });
  return (gender, ageYears) => {
    const [ages, shares] = (['age', 'share'] as const).map((pick) =>
      curves[gender].map((one) => one[pick]),
    );
    return interpolate(ages, shares, ageYears);
  };
}
