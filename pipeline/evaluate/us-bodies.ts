import { COUNTRY_CODES } from '../../src/core/countries.js';
import { GENDERS, type Gender } from '../../src/core/genders.js';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import { CLOTHING_IDS, POSTURE_IDS } from '../../src/core/profiles.js';
import { dimensionRow, peopleIndex } from '../../src/lookup/cell.js';
import { type Manifest, PEOPLE_AGES } from '../../src/lookup/format.js';
import type { ArtifactViews } from '../../src/lookup/reader.js';
import { JointPeople } from '../../src/population/joint.js';
import { type Cohort, type Market, PeopleModel } from '../../src/population/people-model.js';
import type { Fit } from '../fit/fit-model.js';
import { headCounts } from '../fit/head-counts.js';
import { emptyGrid, fillGrid } from '../grid.js';
import { yearsOf } from '../model/fitted-model.js';
import { sensitivities } from '../model/sensitivities.js';
import {
  AGES_YEARS,
  CORRELATION_AGES_YEARS,
  REFERENCE_YEAR,
  YEARS_FROM_AGE,
} from '../plans/axes.js';
import { DIMENSION_ORDER, IDENTITIES } from '../plans/dependencies.js';
import { DERIVED } from '../plans/joint-plan.js';
import { bodyTable, covariateTable, slopeTable } from '../population-tables.js';

const COUNTRIES = ['US'] as const;

/** Ages of the people for whom designs are made: completed years, each in the middle of a five-year group. */
export const DESIGN_AGES: readonly number[] = Array.from({ length: 9 }, (_, i) => 22 + 5 * i);

/** Cohorts and their weights, whose sum is 1. */
export type UsMarket = Pick<Market, 'cohorts' | 'weights'>;

/** The people of the United States, as an artifact describes them. */
export interface UsPeople {
  readonly peopleModel: PeopleModel;
  readonly joint: JointPeople;
  /** Persons of a gender and completed age in 2022. */
  readonly headCount: (gender: Gender, ageYears: number) => number;
}

/**
 * Computes the United States of the artifact in memory, with the code that writes artifacts. So the figures on people
 * need no built artifact and follow from the tables alone. Clothing and posture are left out: all people are nude and
 * erect.
 */
export async function usPeople(fit: Fit): Promise<UsPeople> {
  const { model } = fit;
  const { rhoBmiMass, ...correlations } = fit.joint.matrices();
  const years = yearsOf(model);
  const rows = dimensionRow(MEASUREMENT_NAMES.length, 0);
  const counts = headCounts(fit.tables.headCounts);
  const country = COUNTRY_CODES.indexOf('US');
  const people = counts.slice(peopleIndex(country, 0, 0), peopleIndex(country + 1, 0, 0));
  const manifest: Manifest = {
    ...{ formatVersion: '1.1', artifactVersion: 'in memory', referenceYear: REFERENCE_YEAR },
    ...{ buildEpoch: 0, files: {}, sources: [], losses: [] },
    axes: {
      ...{ measurements: MEASUREMENT_NAMES, genders: GENDERS, countries: COUNTRIES },
      ...{ agesYears: AGES_YEARS, clothing: CLOTHING_IDS, postures: POSTURE_IDS },
      correlationAgesYears: CORRELATION_AGES_YEARS,
    },
    referenceStaturesMm: [model.referenceStatureMm.Male, model.referenceStatureMm.Female],
    population: {
      ...{ years, yearsFromAge: YEARS_FROM_AGE, evidenceAgesYears: [], surveys: [], regions: [] },
      identities: DIMENSION_ORDER.flatMap((measurement) => {
        const terms = IDENTITIES.get(measurement);
        return terms === undefined ? [] : [{ measurement, terms }];
      }),
      ...{ derived: DERIVED, rhoBmiMass },
    },
  };
  const grid = emptyGrid(COUNTRIES.length);
  for (const gender of GENDERS) fillGrid(grid.quantiles, model, gender, COUNTRIES);
  const views: ArtifactViews = {
    manifest,
    ...grid,
    clothingShiftMm: new Float32Array(rows * CLOTHING_IDS.length),
    clothingSdMm: new Float32Array(rows * CLOTHING_IDS.length),
    postureShiftMm: new Float32Array(rows * POSTURE_IDS.length),
    postureSdMm: new Float32Array(rows * POSTURE_IDS.length),
    rho: correlations.rho,
    population: {
      ...slopeTable(model, (gender) => sensitivities(model, gender)),
      covariates: covariateTable(model, years, COUNTRIES),
      bodyQuantiles: bodyTable(model, COUNTRIES),
      ...{ rhoBmi: correlations.rhoBmi, rhoMass: correlations.rhoMass, people },
      ...{ lnMedianSd: new Float32Array(0), grade: new Int32Array(0) },
    },
  };
  const peopleModel = new PeopleModel(views);
  return {
    ...{ peopleModel, joint: new JointPeople(peopleModel) },
    headCount: (gender, ageYears) =>
      people[GENDERS.indexOf(gender) * PEOPLE_AGES + ageYears] as number,
  };
}

/** The cohort of a gender and completed age. */
export function usCohort(gender: Gender, ageYears: number, year: number = REFERENCE_YEAR): Cohort {
  return { country: 0, gender: GENDERS.indexOf(gender), ageYears: ageYears + 0.5, year };
}

/**
 * Men and women of some completed ages in the reference year, weighted by head count.
 *
 * @param ages completed years
 */
export function usMarket({ headCount }: UsPeople, ages: readonly number[]): UsMarket {
  const parts = GENDERS.flatMap((gender) =>
    ages.map((age) => ({ cohort: usCohort(gender, age), people: headCount(gender, age) })),
  );
  const total = parts.reduce((sum, { people }) => sum + people, 0);
  return {
    cohorts: parts.map(({ cohort }) => cohort),
    weights: Float64Array.from(parts, ({ people }) => people / total),
  };
}
