import type { Gender } from '../../../src/core/genders.js';
import type { MeasurementName } from '../../../src/core/measurements.js';
import { placeOf } from '../../../src/core/regions.js';
import { memoisePopulations } from '../../model/covariates.js';
import { Populations } from '../../model/population.js';
import { sensitivities } from '../../model/sensitivities.js';
import { memoise } from '../../numerics/numbers.js';
import { PROXY_READINGS } from '../../plans/dimension-plan.js';
import { ANCESTRAL_COUNTRIES } from '../../plans/regions.js';
import { sameAs } from '../calibration/calibration.js';
import { militaryMarginal } from '../calibration/study-regression.js';
import type { Fit } from '../fit-model.js';
import { fitExtrapolation } from './extrapolation.js';

/** Uncertainty of the median of a dimension in one population at one age. */
export interface MedianError {
  /** Standard error of ln of the median. */
  readonly lnSd: number;
  /** Standard error of ln of the median, in standard deviations of ln of the dimension. */
  readonly inSd: number;
}

/** Errors as the national studies show them. */
export type Learned = Pick<Fit, 'calibration' | 'errors' | 'studies' | 'ownFamily'>;

/** The errors of a dimension of a gender, by country and age. */
export type MedianErrors = (
  gender: Gender,
  name: MeasurementName,
) => (country: string, ageYears: number) => MedianError;

/** The dimension whose departures apply to a name. */
export function departsAs(fit: Fit, gender: Gender, name: MeasurementName): MeasurementName {
  const of = sameAs(name);
  return fit.model.nhanes[gender].get(of)?.plan.departsAs ?? of;
}

/** Whether a survey of the general population measured the dimension at the age. */
function measuredByNhanes(
  { model }: Fit,
  gender: Gender,
  name: MeasurementName,
  ageYears: number,
): boolean {
  if (name === 'Stature') return true;
  const found = model.nhanes[gender].get(sameAs(name));
  return found !== undefined && ageYears >= found.plan.fromYears;
}

/**
 * Standard errors of medians, against the median that a national survey of the country would find. The square of an
 * error is a sum of variances:
 * - of the departure that such a survey would show. It contains the country's people, and the definitions and
 * instruments of a survey. A country with a survey of its civilians is served by the definitions and instruments of that
 * survey, and a dimension of the United States that NHANES measured has those of NHANES;
 * - of the two covariates, times the slopes on them. They contain the choice of the people of a sample;
 * - of the extrapolation to ages at which no survey measured the dimension;
 * - for a proxy, of the definition. A survey of the real dimension would differ from the proxy as two
 * survey families differ that measure one dimension.
 *
 * @param agesYears ages at which the extrapolation is measured
 */
export function medianErrors(
  fit: Fit,
  agesYears: readonly number[],
): (learned: Learned) => MedianErrors {
  const { model, samples } = fit;
  const extrapolation = fitExtrapolation(model, agesYears);
  const slopesOf = { Male: sensitivities(model, 'Male'), Female: sensitivities(model, 'Female') };
  const us = new Populations(model);
  return ({ calibration, errors, studies, ownFamily }) => {
    const studied = new Set([...ANCESTRAL_COUNTRIES, ...studies.map(({ country }) => country)]);
    // Countries of a region have equal departures if they have no studies and no soldiers come from them.
    const placeOfCountry = (country: string): string =>
      studied.has(country) || country === 'US' ? country : placeOf(country).region;
    const covariateErrors = memoisePopulations((gender, country) =>
      memoise((ageYears: number) => ({
        stature: errors.lnStature(gender, country, ageYears),
        bmi: errors.lnBmi(gender, country, ageYears),
      })),
    );
    return (gender, name) => {
      const unit = militaryMarginal(samples, gender, name);
      const of = departsAs(fit, gender, name);
      const definition =
        PROXY_READINGS.has(name) && unit !== undefined
          ? calibration.familySd(gender, of) * unit.sd
          : 0;
      const shiftSds = new Map<string, number>();
      const shiftSd = (country: string, isOwn: boolean): number => {
        if (name === 'Stature' || unit === undefined) return 0;
        const key = `${placeOfCountry(country)} ${isOwn}`;
        const known = shiftSds.get(key);
        if (known !== undefined) return known;
        const expected = isOwn ? calibration.expected : calibration.expectedOfSurvey;
        const origin = { gender, country, era: 0, family: ownFamily.get(country) };
        const sd = expected(origin, of).sd * unit.sd;
        shiftSds.set(key, sd);
        return sd;
      };
      const atAge = memoise((ageYears: number) => {
        const { sd } = us.home(gender).at(ageYears).marginal(name);
        const known = measuredByNhanes(fit, gender, name, ageYears);
        return {
          slopes: slopesOf[gender](name, ageYears),
          sd,
          isMeasured: known,
          further: known ? 0 : extrapolation(ageYears) * sd,
        };
      });
      return (country, ageYears) => {
        const { slopes, sd, isMeasured, further } = atAge(ageYears);
        const { stature, bmi } = covariateErrors(gender, country)(ageYears);
        const lnSd = Math.hypot(
          shiftSd(country, isMeasured && country === 'US'),
          slopes.stature * stature,
          slopes.bmi * bmi,
          further,
          definition,
        );
        return { lnSd, inSd: lnSd / sd };
      };
    };
  };
}
