import normalCdf from '@stdlib/stats-base-dists-normal-cdf';
import { GENDERS, type Gender } from '../../../src/core/genders.js';
import { zOfPercentile } from '../../../src/lookup/cell.js';
import type { ByAge, ByCountry } from '../../model/covariates.js';
import { mean, memoise, smoothStep } from '../../numerics/numbers.js';
import { REFERENCE_YEAR } from '../../plans/axes.js';
import type { Rows } from '../../raw-tables/source-tables.js';
import { fitLevels } from './survey-levels.js';
import type { WhoStandards } from './who-standards.js';

// BMI of children under 5 years by country, from the shares of wasted and of overweight children in national surveys.
// If z of weight for height is normal, two shares tell its mean and its SD.

/** Limits of wasting and overweight, SD of the WHO growth standards. */
const LIMIT_Z = 2;
/** Smaller shares say too little. */
const SHARE_MIN = 0.003;

/** Shares of wasted and overweight children under 5 years in a survey. */
export interface WeightSurvey {
  readonly country: string;
  readonly year: number;
  readonly id: string;
  readonly wasting: number;
  readonly overweight: number;
}

/** The surveys of the table whose shares are large enough. */
export function weightSurveys(rows: Rows): WeightSurvey[] {
  return rows
    .map((row) => ({
      ...{ country: String(row.country), year: Number(row.year), id: String(row.survey) },
      ...{ wasting: Number(row.wasting), overweight: Number(row.overweight) },
    }))
    .filter(({ wasting, overweight }) => Math.min(wasting, overweight) >= SHARE_MIN);
}

/** Distribution of z of weight for height among the children of a country. */
interface WeightZ {
  readonly mean: number;
  readonly sd: number;
}

/** Mean and SD of the normal z whose tails are the shares of a survey. */
export function weightZ({ wasting, overweight }: Pick<WeightSurvey, 'wasting' | 'overweight'>) {
  const [low, high] = [zOfPercentile(100 * wasting), -zOfPercentile(100 * overweight)];
  const sd = (2 * LIMIT_Z) / (high - low);
  return { mean: -LIMIT_Z - sd * low, sd };
}

/** Shares of wasted and of overweight children where z has this distribution. */
export function weightShares({
  mean: z,
  sd,
}: WeightZ): Pick<WeightSurvey, 'wasting' | 'overweight'> {
  return {
    wasting: normalCdf((-LIMIT_Z - z) / sd, 0, 1),
    overweight: normalCdf((z - LIMIT_Z) / sd, 0, 1),
  };
}

/** Distribution of z by country and year, with errors of its mean. */
interface WeightLevel extends WeightZ {
  /** Standard error of the mean. */
  readonly se: number;
  /** Standard error of the mean that a survey would find. */
  readonly surveySe: number;
}

/** Fits mean and SD of z by country and year (`fitLevels`). */
export function fitWeight(
  surveys: readonly WeightSurvey[],
): (country: string, year: number) => WeightLevel {
  const found = surveys.map((survey) => ({ ...survey, z: weightZ(survey) }));
  const means = fitLevels(found.map((survey) => ({ ...survey, level: survey.z.mean })));
  const sds = fitLevels(found.map((survey) => ({ ...survey, level: Math.log(survey.z.sd) })));
  return (country, year) => {
    const { level, variance } = means.at(country, year);
    return {
      mean: level,
      sd: Math.exp(sds.at(country, year).level),
      se: Math.sqrt(variance),
      surveySe: Math.sqrt(variance + means.variances.survey),
    };
  };
}

/** From birth to this age, the level of newborns changes into that of the surveys. */
const SURVEYED_FROM_YEARS = 0.25;
/** Between these ages, the level of the surveys changes into that of the table of children of 5 to 19 years. */
const [JOINED_FROM, JOINED_TO] = [4, 7];
/** Last age of the standards. */
const LAST_YEARS = 5;

/** BMI of small children by country. */
export interface SmallChildBmi {
  readonly surveys: readonly WeightSurvey[];
  /** SD of the error of mean z that a survey has for itself. */
  readonly surveySd: number;
  /**
   * Mean ln BMI minus that of the US.
   *
   * @param tableShift the same by the table of children
   */
  readonly shift: (gender: Gender, country: string, ageYears: number, tableShift: number) => number;
  /** Standard error of it, given that of the table. Errors of surveys and table add, as if they were the same. */
  readonly lnSe: (country: string, ageYears: number, tableSe: number) => number;
}

/** Figures of a population on which the shift depends. */
interface Base {
  readonly who: WhoStandards;
  /** Mean ln BMI of the US. */
  readonly usLnBmi: ByAge;
  /** Mean ln BMI of a country at 5 years by the table of children. */
  readonly tableLnBmi: (gender: Gender, country: string) => number;
  /** Mean ln stature of a country until 5 years. */
  readonly lnStature: ByCountry;
  /** ln of the mean mass of newborns over that of the standards, and its standard error. */
  readonly newborn: (country: string) => { readonly lnMass: number; readonly lnBmiSe: number };
}

/**
 * BMI of small children by country: that of WHO's children of the same length, times the mean z of weight for height.
 * Newborns have the mass that the share of low birth weight tells. All ages from 3 months have the same mean z, because
 * wasting is published for all ages together. The table of children tells the mean z at 5 years too; its mean difference
 * from the surveys is subtracted. The mean of both, weighted by the inverse variances, holds; the variance of the table
 * is the rest of the difference.
 *
 * @param countries all countries
 */
export function smallChildBmi(
  rows: Rows,
  { who, usLnBmi, tableLnBmi, lnStature, newborn }: Base,
  countries: readonly string[],
): SmallChildBmi {
  const surveys = weightSurveys(rows).filter(({ country }) => country !== 'US');
  const fitted = fitWeight(surveys);
  const surveyed = new Set(surveys.map(({ country }) => country));
  const known = memoise((country: string) => ({
    ...fitted(country, REFERENCE_YEAR),
    ofTable: mean(
      GENDERS.map((gender) => {
        const mm = Math.exp(lnStature(gender, country, LAST_YEARS));
        const median = who.bmiForStature(gender, LAST_YEARS, mm);
        return (tableLnBmi(gender, country) - Math.log(median)) / who.bmi(gender, LAST_YEARS).cv;
      }),
    ),
  }));
  const compared = countries.filter((country) => surveyed.has(country)).map(known);
  const bias = mean(compared.map((one) => one.ofTable - one.mean));
  const tableVariance = Math.max(
    0,
    mean(compared.map((one) => (one.ofTable - bias - one.mean) ** 2 - one.se ** 2)),
  );
  const level = memoise((country: string) => {
    const { mean: z, se, ofTable } = known(country);
    const share = se ** 2 / (se ** 2 + tableVariance);
    return { mean: z + share * (ofTable - bias - z), se: Math.sqrt(share * tableVariance) };
  });
  const small: ByCountry = (gender, country, ageYears) => {
    const age = Math.min(LAST_YEARS, Math.max(SURVEYED_FROM_YEARS, ageYears));
    const mm = Math.exp(lnStature(gender, country, age));
    const median = who.bmiForStature(gender, age, mm);
    const { cv } = who.bmi(gender, age);
    return Math.log(median) + cv * level(country).mean - usLnBmi(gender, age);
  };
  const atBirth = (gender: Gender, country: string): number => {
    const lnKg = Math.log(who.massKg(gender, 0).median) + newborn(country).lnMass;
    const lnMetres = lnStature(gender, country, 0) - Math.log(1000);
    return lnKg - 2 * lnMetres - usLnBmi(gender, 0);
  };
  /** Share of newborns, and of the table, in a level. */
  const shares = (ageYears: number) => ({
    ofNewborns: Math.max(0, 1 - ageYears / SURVEYED_FROM_YEARS),
    ofTable: smoothStep(ageYears, JOINED_FROM, JOINED_TO),
  });
  const { se, surveySe } = fitted(countries[0], REFERENCE_YEAR);
  return {
    surveys,
    surveySd: Math.sqrt(surveySe ** 2 - se ** 2),
    shift(gender, country, ageYears, tableShift) {
      const { ofNewborns, ofTable } = shares(ageYears);
      if (ofTable === 1) return tableShift;
      const surveyed = small(gender, country, ageYears);
      const young = ofNewborns > 0 ? ofNewborns * (atBirth(gender, country) - surveyed) : 0;
      return surveyed + young + ofTable * (tableShift - surveyed);
    },
    lnSe(country, ageYears, tableSe) {
      const { ofNewborns, ofTable } = shares(ageYears);
      const { cv } = who.bmi('Male', Math.min(LAST_YEARS, ageYears));
      const surveyed = (1 - ofNewborns) * cv * level(country).se;
      const born = ofNewborns * newborn(country).lnBmiSe;
      return (1 - ofTable) * Math.hypot(surveyed, born) + ofTable * tableSe;
    },
  };
}
