import type { Gender } from '../../../src/core/genders.js';
import type { Marginal } from '../../numerics/marginal.js';
import { median } from '../../numerics/numbers.js';
import { REFERENCE_YEAR } from '../../plans/axes.js';
import type { Rows } from '../../raw-tables/source-tables.js';
import { type BmiClasses, shapeBehind } from './bmi-classes.js';

/** Youngest age of the adults whose level the table of adults gives. */
export const ADULT_CLASSES_FROM = 20;
/** Classes of adults' BMI (kg/m²): one between each two limits, and everybody of 30 and more. */
const ADULT_CLASSES: BmiClasses = { limits: [18.5, 20, 25, 30, 35, 40], above: 3 };
/**
 * A change that is more than this many median absolute deviations off comes from a failed fit (men of AS).
 */
const OUTLYING = 6;

/** Change of ln of the mean BMI. */
export interface YouthChange {
  /** Change of ln of the SD of ln BMI over that of the US. */
  readonly lnMean: number;
  /** Change of ln of the SD of ln BMI over that of the US. */
  readonly lnSpread: number;
}

/**
 * Change of a country's BMI from 20–24 to 18–19 years, by `country|gender`. Both ages rest on the same
 * eight classes of BMI in one run of the fits. A country whose fit is missing or failed gets the median
 * change.
 */
export function changeBelowTwenty(
  rows: Rows | undefined,
  us: (gender: Gender, ageYears: number) => Marginal,
): ((key: string) => YouthChange) | undefined {
  if (rows === undefined) return undefined;
  const found = new Map<string, { lnMean: number; people: Marginal }>();
  for (const row of rows) {
    const [gender, from] = [row.gender as Gender, Number(row.age_min)];
    if (Number(row.year) !== REFERENCE_YEAR || from > ADULT_CLASSES_FROM) continue;
    const age = (from + Number(row.age_max) + 1) / 2;
    const fit = { shape: Number(row.shape), scale: Number(row.scale) };
    const people = shapeBehind(fit, ADULT_CLASSES, us(gender, age).skew);
    if (people === undefined) continue;
    const lnMean = Math.log(fit.shape * fit.scale);
    found.set(`${row.country}|${gender}|${from}`, { lnMean, people: people.marginal });
  }
  const changes = new Map<string, YouthChange>();
  for (const key of new Set([...found.keys()].map((of) => of.slice(0, of.lastIndexOf('|'))))) {
    const gender = key.slice(key.indexOf('|') + 1);
    const of = [`${key}|18`, `US|${gender}|18`, `${key}|20`, `US|${gender}|20`];
    const [young, usYoung, grown, usGrown] = of.map((name) => found.get(name));
    if (!young || !usYoung || !grown || !usGrown) continue;
    changes.set(key, {
      lnMean: young.lnMean - grown.lnMean,
      lnSpread:
        Math.log(young.people.sd / usYoung.people.sd) -
        Math.log(grown.people.sd / usGrown.people.sd),
    });
  }
  const typical = (field: keyof YouthChange) => {
    const values = [...changes.values()].map((one) => one[field]);
    const usual = median(values);
    const scatter = median(values.map((value) => Math.abs(value - usual)));
    return { usual, has: (value: number) => Math.abs(value - usual) <= OUTLYING * scatter };
  };
  const [lnMean, lnSpread] = [typical('lnMean'), typical('lnSpread')];
  return (key) => {
    const found = changes.get(key);
    const sane = found !== undefined && lnMean.has(found.lnMean) && lnSpread.has(found.lnSpread);
    return sane ? found : { lnMean: lnMean.usual, lnSpread: lnSpread.usual };
  };
}
