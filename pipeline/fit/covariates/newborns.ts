import { GENDERS } from '../../../src/core/genders.js';
import { zOfPercentile } from '../../../src/lookup/cell.js';
import { mean, memoise } from '../../numerics/numbers.js';
import { REFERENCE_YEAR } from '../../plans/axes.js';
import type { Rows } from '../../raw-tables/source-tables.js';
import { fitLevels } from './survey-levels.js';
import type { WhoStandards } from './who-standards.js';

/** Limit of low birth weight, kg. */
const LOW_KG = 2.5;
/** Width of a 95 % interval in standard errors. */
const INTERVAL = 2 * 1.96;
/**
 * ln of the head girth of newborns follows this much of ln of their mass. The brain goes with the mass to the power of
 * 0.64 among term newborns (Am. J. Phys. Anthropol. 1976;44:279), and a girth with the cube root of a volume.
 */
const HEAD_EXPONENT = 0.64 / 3;
/**
 * The same of their length: the regression of ln length on ln mass. It follows from the three spreads at birth of WHO 2006
 * (ln mass 0.146, length 0.038 and BMI 0.0956 in boys; 0.142, 0.038 and 0.0927 in girls): ln BMI = ln mass − 2 ln length.
 */
const LENGTH_EXPONENT = 0.212;

/**
 * Error of ln mass from the share: the SD of mass is not the same everywhere. Our own assumption.
 */
const LN_MASS_ERROR = 0.03;

/** Newborns of a country against those of the WHO standards, both genders alike. */
export interface Newborns {
  /** ln of the mean mass over that of the standards. */
  readonly lnMass: number;
  /** Standard error of it. */
  readonly lnMassSe: number;
  /** Standard error of ln BMI: the length follows the mass. */
  readonly lnBmiSe: number;
  readonly lnLength: number;
  readonly lnHeadGirth: number;
}

/**
 * Mean mass of newborns by country, from the share below 2,500 g. The share contains the tail of preterm births. So the
 * SD of mass is the one that joins the share of the US with the mean of the standards, which is that of all births in
 * the US (`infantLevels`). The score of 2,500 g has a level by region, country and year (`fitLevels`): countries without
 * data follow their region. The years of a country come from one model and share their error, so each year has the
 * variance of the error times the number of years.
 */
export function newborns(rows: Rows, who: WhoStandards): (country: string) => Newborns {
  const score = (share: unknown): number => -zOfPercentile(100 * Number(share));
  const measured = rows.filter((row) => Number(row.predicted) !== 1);
  const years = new Set(measured.map((row) => row.year)).size;
  const surveyed = measured.map((row) => ({
    ...{ country: String(row.country), year: Number(row.year), level: score(row.share) },
    variance: years * ((score(row.share_low) - score(row.share_high)) / INTERVAL) ** 2,
  }));
  const { at } = fitLevels(surveyed);
  const meanKg = mean(GENDERS.map((gender) => who.massKg(gender, 0).median));
  const sdKg = (meanKg - LOW_KG) / at('US', REFERENCE_YEAR).level;
  return memoise((country: string) => {
    const { level, variance } = at(country, REFERENCE_YEAR);
    const kg = LOW_KG + sdKg * level;
    const lnMass = Math.log(kg / meanKg);
    const lnMassSe = Math.hypot((sdKg * Math.sqrt(variance)) / kg, LN_MASS_ERROR);
    return {
      lnMass,
      lnMassSe,
      lnBmiSe: (1 - 2 * LENGTH_EXPONENT) * lnMassSe,
      lnLength: LENGTH_EXPONENT * lnMass,
      lnHeadGirth: HEAD_EXPONENT * lnMass,
    };
  });
}

/** Newborns by country. */
export type NewbornsOf = ReturnType<typeof newborns>;
