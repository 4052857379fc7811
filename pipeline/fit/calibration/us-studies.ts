import { GENDERS } from '../../../src/core/genders.js';
import { MEASUREMENT_NAMES, type MeasurementName } from '../../../src/core/measurements.js';
import { ORIGIN_CODES } from '../../plans/regions.js';
import type { Study, StudyRow } from '../../raw-tables/studies.js';
import type { Survey } from '../../raw-tables/surveys.js';
import { BASE_YEAR, baseOf, type SampleContext } from './study-regression.js';

/** Men and women of one group of a survey, as studies of the dimensions that `takes` accepts. */
function studiesOf(
  survey: Survey,
  ageGroup: string,
  about: Pick<Study, 'id' | 'family' | 'country' | 'year'>,
  takes: (measurement: MeasurementName) => boolean,
): Study[] {
  return GENDERS.flatMap((gender): Study[] => {
    const group = survey.group(gender, ageGroup);
    if (group === undefined) return [];
    const rows = MEASUREMENT_NAMES.flatMap((measurement): StudyRow[] => {
      const moment = group.moments.get(measurement);
      if (moment === undefined || !takes(measurement)) return [];
      const printed = { meanMm: moment.mean, sdMm: moment.sd, p5Mm: undefined, p95Mm: undefined };
      const flags = { match: 'exact', checkDefinition: false, checkFigure: false } as const;
      return [{ measurement, ...printed, ...flags }];
    });
    const stature = group.moment('Stature');
    const bmi = group.moment('Bmi');
    const covariates = {
      n: stature.n,
      ageMean: group.moment('AgeYears').mean,
      statureMm: stature.mean,
      statureSdMm: stature.sd,
      bmi: bmi.mean,
      lnBmiSd: bmi.tSd,
    };
    return [{ ...about, ...covariates, gender, people: 'military', rows }];
  });
}

/** The earlier surveys of US soldiers, as studies of the dimensions that have another base survey. */
function earlierStudies(context: SampleContext): Study[] {
  return context.earlier.flatMap(({ survey, year }) => {
    const about = { id: survey.name, family: survey.name, country: 'US', year };
    const takes = (name: MeasurementName) => baseOf(context, name).family !== survey.name;
    return studiesOf(survey, 'adult', about, takes);
  });
}

/**
 * The people of the base survey by origin, as studies. The code of the origin stands in place of a country.
 * These studies share the instruments, definitions and year of the base survey, so only their people
 * differ.
 */
function originStudies({ base, origins }: SampleContext): Study[] {
  return ORIGIN_CODES.flatMap((code) => {
    const about = { id: code, family: base.name, country: code, year: BASE_YEAR };
    return studiesOf(origins, code, about, () => true);
  });
}

/** The studies from surveys of US soldiers: the earlier surveys, and the base survey by origin. */
export function surveyStudies(context: SampleContext): Study[] {
  return [...earlierStudies(context), ...originStudies(context)];
}
