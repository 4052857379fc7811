import { groups } from 'd3-array';
import { COUNTRY_CODES } from '../../../src/core/countries.js';
import { GENDERS, type Gender } from '../../../src/core/genders.js';
import { MEASUREMENT_NAMES } from '../../../src/core/measurements.js';
import { bodyRow, dimensionRow, evidenceIndex } from '../../../src/lookup/cell.js';
import {
  BODY_SLOPES,
  GRADES,
  type Grade,
  MASS_QUANTITIES,
  type ManifestSurvey,
  NO_GRADE,
  type OwnWeight,
} from '../../../src/lookup/format.js';
import { bodyMarginal } from '../../model/covariates.js';
import { countryCovariates } from '../../model/fitted-model.js';
import { EVIDENCE_AGES_YEARS } from '../../plans/axes.js';
import { DIMENSION_PLAN } from '../../plans/dimension-plan.js';
import type { Survey } from '../../raw-tables/surveys.js';
import { sameAs } from '../calibration/calibration.js';
import type { Fit } from '../fit-model.js';
import { departsAs, type MedianError, medianErrors } from './uncertainty.js';

/** Standard error of ln of each median, and the grade of the evidence, by `evidenceIndex`. */
export interface Evidence {
  readonly lnMedianSd: Float32Array;
  readonly grade: Int32Array;
}

/**
 * Largest expected error of a median, in SD of the dimension, for each grade. Surveys of one country differ by 0.15 to
 * 0.25 SD (`docs/accuracy.md`). If a design for P95 is wrong by 0.2, 0.3 or 0.45 SD, it serves 93, 91 or 88 % of the
 * people.
 */
export const LARGEST_ERROR_SD: Readonly<Record<Exclude<Grade, 'D'>, number>> = {
  A: 0.2,
  B: 0.3,
  C: 0.45,
};

/** Expected absolute error of a normal distribution, in standard errors. */
const MEAN_ABS_OF_SE = Math.sqrt(2 / Math.PI);

/**
 * Grade of the evidence for a median. The grade and the interval follow from the standard error alone, so
 * they cannot disagree.
 *
 * @param inSd standard error of ln of the median, in standard deviations of ln of the dimension
 */
export function gradeOf(inSd: number): Grade {
  const { A, B, C } = LARGEST_ERROR_SD;
  const errorSd = MEAN_ABS_OF_SE * inSd;
  if (errorSd <= A) return 'A';
  if (errorSd <= B) return 'B';
  return errorSd <= C ? 'C' : 'D';
}

/** The surveys behind an artifact, sorted by role, year and name. */
export function surveysOf({ sources, samples, correlated, studies }: Fit): ManifestSurvey[] {
  const { nhanes, children } = correlated;
  const surveys = [
    american(sources.ansur2, 2012, 'base'),
    ...samples.earlier.map(({ survey, year }) => american(survey, year, 'base')),
    ...(nhanes === undefined ? [] : [american(nhanes, 2023, 'general population')]),
    ...(children === undefined ? [] : [american(children, 1977, 'growth')]),
    ...studiesOf(studies),
  ];
  // A study without a usable row is no evidence.
  return surveys.filter(
    ({ people, measurements }) => measurements.length > 0 && Math.max(...people) > 0,
  );
}

function american(survey: Survey, year: number, role: ManifestSurvey['role']): ManifestSurvey {
  const people = GENDERS.map((gender) => {
    const counts = survey.groupsOf(gender).map(([, { moments }]) => moments.get('Stature')?.n ?? 0);
    return counts.reduce((sum, count) => sum + count, 0);
  }) as [number, number];
  const names = new Set([...survey.groups.values()].flatMap(({ moments }) => [...moments.keys()]));
  return {
    ...{ name: survey.name, country: 'US', year, people, role },
    measurements: indicesOf(names),
  };
}

function studiesOf(studies: Fit['studies']): ManifestSurvey[] {
  const genders = groups(studies, ({ id }) => id);
  return genders
    .map(([name, members]): ManifestSurvey => {
      const { country, year } = members[0];
      const of = (gender: Gender) => members.findLast((study) => study.gender === gender)?.n ?? 0;
      // A row that is known to differ is not used.
      const usable = members.flatMap(({ statureMm, rows }) => [
        ...(statureMm === undefined ? [] : ['Stature']),
        ...rows.filter(({ match }) => match !== 'poor').map(({ measurement }) => measurement),
      ]);
      return {
        ...{ name, country, year, people: [of('Male'), of('Female')], role: 'departure' },
        measurements: indicesOf(new Set(usable)),
      };
    })
    .sort((a, b) => a.country.localeCompare(b.country, 'en') || a.name.localeCompare(b.name, 'en'));
}

/**
 * Indices of the measurements among the names of variables, rising. An alias is included with its
 * dimension.
 */
function indicesOf(names: ReadonlySet<string>): number[] {
  return MEASUREMENT_NAMES.flatMap((name, index) =>
    names.has(name) || names.has(sameAs(name)) ? [index] : [],
  );
}

/** The evidence for every median at `EVIDENCE_AGES_YEARS`. */
export function evidenceTable(fit: Fit): Evidence {
  const ages = EVIDENCE_AGES_YEARS.length;
  const graded = (MEASUREMENT_NAMES.length + MASS_QUANTITIES.length) * GENDERS.length;
  const rows = graded * COUNTRY_CODES.length * ages;
  const lnMedianSd = new Float32Array(rows);
  const grade = new Int32Array(rows).fill(NO_GRADE);
  const errors = medianErrors(fit, EVIDENCE_AGES_YEARS)(fit);
  const store: Store = (row, c, a, { lnSd, inSd }) => {
    const at = evidenceIndex(COUNTRY_CODES.length, ages, row, c, a);
    lnMedianSd[at] = lnSd;
    grade[at] = GRADES.indexOf(gradeOf(inSd));
  };
  gradeBody(fit, store);
  GENDERS.forEach((gender, g) => {
    MEASUREMENT_NAMES.forEach((name, m) => {
      if (!fit.model.military[gender].has(name)) return;
      const errorOf = errors(gender, name);
      const youngest = DIMENSION_PLAN[name].ageMinYears ?? 0;
      COUNTRY_CODES.forEach((country, c) => {
        EVIDENCE_AGES_YEARS.forEach((ageYears, a) => {
          if (ageYears < youngest) return;
          store(dimensionRow(m, g), c, a, errorOf(country, ageYears));
        });
      });
    });
  });
  return { lnMedianSd, grade };
}

/**
 * Stores the error and the grade of a row in a country at an age. A row is a dimension or body quantity of
 * a gender.
 */
type Store = (row: number, country: number, age: number, error: MedianError) => void;

/** The evidence for BMI and body mass: the errors of the covariates. */
function gradeBody({ model, errors }: Fit, store: Store): void {
  GENDERS.forEach((gender, g) => {
    COUNTRY_CODES.forEach((country, c) => {
      EVIDENCE_AGES_YEARS.forEach((ageYears, a) => {
        const covariates = countryCovariates(model, gender, country, ageYears);
        const bmi = errors.lnBmi(gender, country, ageYears);
        const stature = errors.lnStature(gender, country, ageYears);
        MASS_QUANTITIES.forEach((name, b) => {
          const slopes = BODY_SLOPES[name];
          const lnSd = Math.hypot(slopes.bmi * bmi, slopes.stature * stature);
          const inSd = lnSd / bodyMarginal(name, covariates).sd;
          store(bodyRow(MEASUREMENT_NAMES.length, b, g), c, a, { lnSd, inSd });
        });
      });
    });
  });
}

/**
 * Weight of each country's own studies in its departures from the base. Countries without studies are left
 * out, and so are the United States, which are the base.
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
          const weight = fit.calibration.weightOfCountry(today, of);
          return Number(Math.min(1, Math.max(0, weight)).toFixed(2));
        }) as [number, number];
        return weights.every((weight) => weight === 0) ? [] : [{ country, measurement, weights }];
      }),
  );
}
