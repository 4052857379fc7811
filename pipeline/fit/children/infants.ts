import { GENDERS, type Gender } from '../../../src/core/genders.js';
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
export function infantArmShare(nhanes: Survey): (gender: Gender, ageYears: number) => number {
  const curves = new Map<Gender, { ages: number[]; shares: number[] }>();
  for (const gender of GENDERS) {
    const groups = new Map<string, { n: number; age: number; share: number }>();
    for (const [key, group] of nhanes.groups) {
      const [groupGender, ageGroup = ''] = key.split('|');
      const arm = group.moments.get('AcromionOlecranonLength');
      if (groupGender !== gender || arm === undefined) continue;
      const age = group.moment('AgeYears').mean;
      if (age > OLDEST) continue;
      const name = ageGroup.slice(ageGroup.indexOf('/') + 1);
      const sum = groups.get(name) ?? { n: 0, age: 0, share: 0 };
      groups.set(name, {
        n: sum.n + arm.n,
        age: sum.age + arm.n * age,
        share: sum.share + arm.n * (arm.tMean - group.moment('Stature').tMean),
      });
    }
    const sorted = [...groups.values()]
      .map(({ n, age, share }) => ({ age: age / n, share: share / n }))
      .sort((a, b) => a.age - b.age);
    curves.set(gender, {
      ages: sorted.map(({ age }) => age),
      shares: sorted.map(({ share }) => share),
    });
  }
  return (gender, ageYears) => {
    const { ages, shares } = curves.get(gender) as { ages: number[]; shares: number[] };
    return interpolate(ages, shares, ageYears);
  };
}
