import { perGender } from '../../../src/core/genders.js';
import { type ByAge, memoisePopulations } from '../../model/covariates.js';
import { countryDeparture, type FittedModel } from '../../model/fitted-model.js';
import { interpolate, mean, memoise, smoothStep } from '../../numerics/numbers.js';
import { DIMENSION_PLAN } from '../../plans/dimension-plan.js';
import { sharedPlace } from '../../plans/regions.js';
import type { Rows } from '../../raw-tables/source-tables.js';
import { type Calibration, calibrationGroup } from '../calibration/calibration.js';
import { COMPONENTS } from '../calibration/pooling.js';
import { whoStandards } from '../covariates/who-standards.js';

/** Heights above the seat and parts of the trunk, which follow sitting height. */
const TRUNK = new Set<string>([
  ...['SittingHeight', 'SittingEyeHeight', 'TrunkLength', 'SacralHeightSitting'],
]);
/** Heights that end above the legs, and parts of the legs: they follow what sitting height leaves of stature. */
const LEGS = new Set<string>([
  ...['HipHeight', 'KneeHeight', 'ButtockKneeLength', 'ThighLength'],
  ...['WaistHeightStanding', 'ArmpitHeightStanding'],
]);

const ARM = 'UpperArmCircumferenceMidpoint';
/** Ages (quarters of a year) of the arm in the growth standards. */
const ARM_AGES = Array.from({ length: 20 }, (_, i) => (i + 1) / 4);
/** From the first age to the second, the arms of all countries change into those of NHANES. */
const ARM_JOINED = [5, 10] as const;

/**
 * Departure (ln) of the arm girth of WHO's children from NHANES at their length and mass, the mean over `ARM_AGES`: US
 * children of the same mass for height have thicker arms.
 */
export function armDeparture(rows: Rows, nhanes: FittedModel['nhanes']): ByAge {
  const who = whoStandards(rows);
  const departures = perGender((gender) =>
    mean(
      ARM_AGES.map((age) => {
        const lnStature = Math.log(who.statureMm(gender, age).median);
        const lnBmi = Math.log(who.bmi(gender, age).median);
        const us = nhanes[gender].get(ARM)?.at({ lnStature, lnBmi }, age);
        return Math.log(who.armGirthMm(gender, age).median) - Number(us?.level);
      }),
    ),
  );
  return (gender, ageYears) => departures[gender] * (1 - smoothStep(ageYears, ...ARM_JOINED));
}

/**
 * Departure of the sitting height of a country's pupils (ln) from that of US children with the country's departure of
 * adults, by age: a survey of pupils, linear between its ages and constant beyond. Other countries follow it by the
 * share of a departure that they have in common with the country, by the variances of the departures of adults: the
 * best linear prediction from this one survey. The legs are the rest of stature. The United States have none.
 *
 * @param arm departure of the arm girth of small children
 */
export function childDepartures(
  rows: Rows,
  model: Pick<FittedModel, 'calibration' | 'children' | 'covariatesToday'>,
  { variances }: Pick<Calibration, 'variances'>,
  arm?: ByAge,
): FittedModel['childDeparture'] {
  const surveyed = [...new Set(rows.map((row) => String(row.country)))];
  const known = memoisePopulations((gender, country) => {
    const own = rows.filter((row) => row.country === country && row.gender === gender);
    const ages = [...new Set(own.map((row) => Number(row.age_years)))];
    const ratios = ages.map((age) =>
      mean(own.filter((row) => Number(row.age_years) === age).map((row) => Number(row.ratio))),
    );
    const departures = ages.map((age, i) => {
      const covariates = model.covariatesToday(gender, country, age);
      const fit = model.children[gender].get('SittingHeight')?.at(covariates, age);
      if (fit === undefined) throw new Error(`no children's fit of SittingHeight for ${gender}`);
      const expected = fit.level + countryDeparture(model, gender, country, 'SittingHeight');
      return Math.log(ratios[i]) + covariates.lnStature - expected;
    });
    return { ages, ratios, departures };
  });
  const fitted = variances.mean.get(calibrationGroup('SittingHeight')) ?? [];
  const [superregion, region, country] = ['superregion', 'region', 'country'].map(
    (component) => fitted[COMPONENTS.indexOf(component)],
  );
  const total = fitted.slice(0, COMPONENTS.indexOf('era')).reduce((sum, one) => sum + one, 0);
  /** Share of the departure of one country that another has. */
  const share = memoise((of: string) =>
    memoise((to: string): number => {
      if (of === to) return 1;
      const shared =
        superregion * sharedPlace(of, to, 'superregion') +
        region * sharedPlace(of, to, 'region') +
        country * sharedPlace(of, to, 'country');
      return shared / total;
    }),
  );
  return (gender, to, name, ageYears) => {
    if (name === ARM && to !== 'US') return arm?.(gender, ageYears) ?? 0;
    if (to === 'US' || !(TRUNK.has(name) || LEGS.has(name))) return 0;
    return surveyed.reduce((sum, of) => {
      const { ages, ratios, departures } = known(gender, of);
      const departure = share(of)(to) * interpolate(ages, departures, ageYears);
      if (TRUNK.has(name)) return sum + departure;
      const ratio = interpolate(ages, ratios, ageYears);
      const above = DIMENSION_PLAN[name].trunkShare ?? 0;
      return sum - (1 - above) * departure * (ratio / (1 - ratio));
    }, 0);
  };
}
