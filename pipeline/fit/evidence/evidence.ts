import { COUNTRY_CODES } from '../../../src/core/countries.js';
import { GENDERS, type Gender } from '../../../src/core/genders.js';
import { MEASUREMENT_NAMES, type MeasurementName } from '../../../src/core/measurements.js';
import { placeOf } from '../../../src/core/regions.js';
import {
  BODY_NAMES,
  BODY_SLOPES,
  bodyRow,
  dimensionRow,
  evidenceIndex,
  GRADES,
  type Grade,
  type ManifestSurvey,
  NO_GRADE,
  type OwnWeight,
} from '../../../src/lookup/format.js';
import { bodyMarginal } from '../../model/drivers.js';
import { countryDrivers } from '../../model/fitted-model.js';
import { EVIDENCE_AGES_YEARS } from '../../plans/axes.js';
import { DIMENSION_PLAN, PROXY_READINGS } from '../../plans/dimension-plan.js';
import type { Survey } from '../../raw-tables/surveys.js';
import { BMI_NEIGHBOURS } from '../drivers/country-bmi.js';
import type { Fit } from '../fit-model.js';
import { departsAs, medianErrors } from './uncertainty.js';

/** Standard error of ln of each median, and the grade of the evidence, by `evidenceIndex`. */
export interface Evidence {
  readonly lnMedianSd: Float32Array;
  readonly grade: Int32Array;
}

/** Ages of the adults whom surveys of bodies measured. */
const SURVEYED_YEARS = { from: 18, to: 60 };
/** First year of a survey that speaks for the people of today: an older one shows those of its time. */
const RECENT_FROM = 1990;

/**
 * Largest standard error of a median, in SD of the dimension, for each grade. 0.35 is about the error
 * that `evaluate` finds for a left-out study, and so for what two surveys of one country differ by; 0.5
 * and 0.7 are errors that move a percentile of 95 to 87 and to 83.
 */
export const LARGEST_SD: Readonly<Record<Exclude<Grade, 'D'>, number>> = {
  A: 0.35,
  B: 0.5,
  C: 0.7,
};

/**
 * Least share of the country's own surveys for grade A, and of those of its region for grade B. The modern
 * surveys of Australia have 0.4 on average, one of Vietnam of 1963 has 0.1. One of Kenya of 2022, whose region has
 * no other, would have 0.45 even with 140 women: two surveys of a country differ more than their samples explain.
 */
const LEAST_WEIGHT = { A: 1 / 3, B: 0.2 };

/** What is known of a dimension in a country besides its error. */
interface Support {
  /** A survey of the country measured it since `RECENT_FROM`, or it is stature. */
  readonly recent: boolean;
  /** Shares of the surveys of the country, and of its region with the country, in its departure, 0 to 1. */
  readonly ownWeight: number;
  readonly regionWeight: number;
  /** No survey anywhere measured the dimension as it is read here. */
  readonly proxy: boolean;
}

/**
 * Grade of the evidence for a median.
 * - A: error up to 0.35 SD, a survey of the country since 1990, a third of the departure from the country's
 *   own surveys, 18 to 60 years;
 * - B: error up to 0.5 SD, and a fifth of the departure from surveys of the country or its region;
 * - C: error up to 0.7 SD; also the best grade of a proxy, which no survey measured as it is read here;
 * - D: all others.
 */
export function gradeOf(
  inSd: number,
  ageYears: number,
  { recent, proxy, ownWeight, regionWeight }: Support,
): Grade {
  const surveyed = ageYears >= SURVEYED_YEARS.from && ageYears <= SURVEYED_YEARS.to;
  const measured = recent && surveyed && !proxy && ownWeight >= LEAST_WEIGHT.A;
  if (inSd <= LARGEST_SD.A && measured) return 'A';
  if (inSd <= LARGEST_SD.B && regionWeight >= LEAST_WEIGHT.B && !proxy) return 'B';
  return inSd <= LARGEST_SD.C ? 'C' : 'D';
}

function dimensionOf(name: MeasurementName): MeasurementName {
  const { basis } = DIMENSION_PLAN[name];
  return basis.kind === 'alias' ? basis.of : name;
}

/** The surveys behind an artifact, sorted by role, year and name. */
export function surveysOf({ sources, samples, correlated, studies }: Fit): ManifestSurvey[] {
  const military = (survey: Survey, year: number): ManifestSurvey =>
    ofSurvey(survey, 'US', year, 'base', (gender) => survey.group(gender, 'adult')?.moments);
  const bases = [
    military(sources.ansur2, 2012),
    ...samples.earlier.map(({ survey, year }) => military(survey, year)),
  ];
  const { nhanes, children } = correlated;
  const general = nhanes === undefined ? [] : [grouped(nhanes, 2023, 'general population')];
  const growth = children === undefined ? [] : [grouped(children, 1977, 'growth')];
  // A study of which no row can be used is no evidence.
  return [...bases, ...general, ...growth, ...studiesOf(studies)].filter(
    ({ people, measurements }) => measurements.length > 0 && Math.max(...people) > 0,
  );
}

function grouped(survey: Survey, year: number, role: ManifestSurvey['role']): ManifestSurvey {
  const people = GENDERS.map((gender) => {
    const groups = [...survey.groups].filter(([key]) => key.startsWith(`${gender}|`));
    return groups.reduce((sum, [, group]) => sum + (group.moments.get('Stature')?.n ?? 0), 0);
  });
  const names = new Set([...survey.groups.values()].flatMap(({ moments }) => [...moments.keys()]));
  return {
    name: survey.name,
    country: 'US',
    year,
    people: people as unknown as ManifestSurvey['people'],
    role,
    measurements: indicesOf(names),
  };
}

function ofSurvey(
  survey: Survey,
  country: string,
  year: number,
  role: ManifestSurvey['role'],
  momentsOf: (gender: Gender) => ReadonlyMap<string, { readonly n: number }> | undefined,
): ManifestSurvey {
  const moments = GENDERS.map(momentsOf);
  const names = new Set(moments.flatMap((found) => [...(found?.keys() ?? [])]));
  const people = moments.map((found) => found?.get('Stature')?.n ?? 0);
  return {
    name: survey.name,
    country,
    year,
    people: people as unknown as ManifestSurvey['people'],
    role,
    measurements: indicesOf(names),
  };
}

function studiesOf(studies: Fit['studies']): ManifestSurvey[] {
  const found = new Map<
    string,
    { people: number[]; names: Set<string>; country: string; year: number }
  >();
  for (const study of studies) {
    const entry = found.get(study.id) ?? {
      people: [0, 0],
      names: new Set<string>(),
      country: study.country,
      year: study.year,
    };
    entry.people[GENDERS.indexOf(study.gender)] = study.n;
    // A row that is known to differ is not used.
    for (const row of study.rows) if (row.match !== 'poor') entry.names.add(row.measurement);
    found.set(study.id, entry);
  }
  return [...found]
    .map(
      ([name, { people, names, country, year }]): ManifestSurvey => ({
        name,
        country,
        year,
        people: people as unknown as ManifestSurvey['people'],
        role: 'departure',
        measurements: indicesOf(names),
      }),
    )
    .sort((a, b) => a.country.localeCompare(b.country, 'en') || a.name.localeCompare(b.name, 'en'));
}

/** Indices of the measurements among the names of variables, rising; aliases follow their dimension. */
function indicesOf(names: ReadonlySet<string>): number[] {
  return MEASUREMENT_NAMES.flatMap((name, index) =>
    names.has(name) || names.has(dimensionOf(name)) ? [index] : [],
  );
}

/** The evidence for every median at `EVIDENCE_AGES_YEARS`. */
export function evidenceTable(
  fit: Fit,
  surveys: readonly ManifestSurvey[],
  ownWeights: readonly OwnWeight[],
): Evidence {
  const ages = EVIDENCE_AGES_YEARS.length;
  const graded = (MEASUREMENT_NAMES.length + BODY_NAMES.length) * GENDERS.length;
  const rows = graded * COUNTRY_CODES.length * ages;
  const lnMedianSd = new Float32Array(rows);
  const grade = new Int32Array(rows).fill(NO_GRADE);
  const errors = medianErrors(fit, EVIDENCE_AGES_YEARS);
  const store = (row: number, c: number, a: number, lnSd: number, found: Grade): void => {
    const at = evidenceIndex(COUNTRY_CODES.length, ages, row, c, a);
    lnMedianSd[at] = lnSd;
    grade[at] = GRADES.indexOf(found);
  };
  gradeBody(fit, store);
  const recent = supportOf(
    surveys.filter(({ year }) => year >= RECENT_FROM),
    (country) => country,
  );
  const weightOf = weightsByKey(ownWeights);
  GENDERS.forEach((gender, g) => {
    MEASUREMENT_NAMES.forEach((name, m) => {
      if (!fit.model.military[gender].has(name)) return;
      const errorOf = errors(gender, name);
      const youngest = DIMENSION_PLAN[name].ageMinYears ?? 0;
      const regionWeightOf = regionWeights(fit, gender, name);
      COUNTRY_CODES.forEach((country, c) => {
        const measuredHere = country === 'US' || name === 'Stature';
        const support: Support = {
          // NCD-RisC has the stature of every country.
          recent: name === 'Stature' || recent.has(`${country}|${m}|${g}`),
          proxy: PROXY_READINGS.has(name),
          ownWeight: measuredHere ? 1 : weightOf(country, m, g),
          regionWeight: measuredHere ? 1 : regionWeightOf(country),
        };
        EVIDENCE_AGES_YEARS.forEach((ageYears, a) => {
          if (ageYears < youngest) return;
          const { lnSd, inSd } = errorOf(country, ageYears);
          store(dimensionRow(m, g), c, a, lnSd, gradeOf(inSd, ageYears, support));
        });
      });
    });
  });
  return { lnMedianSd, grade };
}

/**
 * The evidence for BMI and body mass: the errors of the drivers. The tables of BMI and stature have every
 * country; a country whose BMI is that of its neighbours counts as one of its region.
 */
function gradeBody(
  { model, errors }: Fit,
  store: (row: number, country: number, age: number, lnSd: number, grade: Grade) => void,
): void {
  GENDERS.forEach((gender, g) => {
    COUNTRY_CODES.forEach((country, c) => {
      EVIDENCE_AGES_YEARS.forEach((ageYears, a) => {
        const drivers = countryDrivers(model, gender, country, ageYears);
        const bmi = errors.lnBmi(gender, country, ageYears);
        const stature = errors.lnStature(gender, country, ageYears);
        BODY_NAMES.forEach((name, b) => {
          const slopes = BODY_SLOPES[name];
          const lnSd = Math.hypot(slopes.bmi * bmi, slopes.stature * stature);
          const own = BMI_NEIGHBOURS[country] === undefined;
          const support: Support = {
            ...{ recent: own, proxy: false },
            ...{ ownWeight: own ? 1 : 0, regionWeight: 1 },
          };
          const found = gradeOf(lnSd / bodyMarginal(name, drivers).sd, ageYears, support);
          store(bodyRow(MEASUREMENT_NAMES.length, b, g), c, a, lnSd, found);
        });
      });
    });
  });
}

/**
 * Weight of each country's own studies in its departures from the base, where it has studies. The United
 * States are the base.
 */
export function ownWeightsOf(fit: Fit): OwnWeight[] {
  const studied = new Set(fit.studies.map(({ country }) => country));
  return COUNTRY_CODES.filter((country) => country !== 'US' && studied.has(country)).flatMap(
    (country) =>
      MEASUREMENT_NAMES.flatMap((name, measurement) => {
        if (name === 'Stature') return [];
        const weights = GENDERS.map((gender) => {
          if (!fit.model.military[gender].has(name)) return 0;
          const today = { gender, country, era: 0 };
          const of = departsAs(fit, gender, name);
          const weight = fit.calibration.weightOfPlace(today, of, 'country');
          return Number(Math.min(1, Math.max(0, weight)).toFixed(2));
        }) as [number, number];
        return weights.every((weight) => weight === 0) ? [] : [{ country, measurement, weights }];
      }),
  );
}

/** Weight of the surveys of a country's region, with its own, in its departure. */
function regionWeights(
  fit: Fit,
  gender: Gender,
  name: MeasurementName,
): (country: string) => number {
  const of = departsAs(fit, gender, name);
  const studied = new Set(fit.studies.map(({ country }) => country));
  // Countries of a region without studies of their own share one weight.
  const weights = new Map<string, number>();
  return (country) => {
    const key = studied.has(country) ? country : placeOf(country).region;
    const known = weights.get(key);
    if (known !== undefined) return known;
    const weight = fit.calibration.weightOfPlace({ gender, country, era: 0 }, of, 'region');
    weights.set(key, weight);
    return weight;
  };
}

/** The weights by country, measurement and gender; 0 where none is listed. */
function weightsByKey(ownWeights: readonly OwnWeight[]) {
  const known = new Map(
    ownWeights.map(({ country, measurement, weights }) => [`${country}|${measurement}`, weights]),
  );
  return (country: string, m: number, g: number): number => known.get(`${country}|${m}`)?.[g] ?? 0;
}

/** Places, measurements and genders that a survey measured. */
function supportOf(
  surveys: readonly ManifestSurvey[],
  placeOfCountry: (country: string) => string,
): ReadonlySet<string> {
  return new Set(
    surveys.flatMap(({ country, people, measurements }) =>
      measurements.flatMap((m) =>
        people.flatMap((n, g) => (n > 0 ? [`${placeOfCountry(country)}|${m}|${g}`] : [])),
      ),
    ),
  );
}
