import { COUNTRY_CODES, type CountryCode } from '../../src/core/countries.js';
import { GENDERS, type Gender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { bodyMarginal } from '../model/covariates.js';
import type { FittedModel } from '../model/fitted-model.js';
import { Populations } from '../model/population.js';
import { lnQuantile, lnQuantileOf, Z99 } from '../numerics/marginal.js';

/** Ages (years) at which bodies are checked. */
export const CHECKED_YEARS: readonly number[] = [
  ...Array.from({ length: 21 }, (_, age) => age),
  ...[30, 40, 50, 60, 70, 80, 90, 99],
];

/** The middle body of one population at one age. */
export interface Body {
  readonly country: CountryCode;
  readonly gender: Gender;
  readonly ageYears: number;
  /** Median in mm, or the value at another standard score; NaN where the gender has no such dimension. */
  readonly mm: (name: MeasurementName, z?: number) => number;
  /** SD of ln D. */
  readonly lnSd: (name: MeasurementName) => number;
  /** P1, P50 and P99 of BMI (kg/m²). */
  readonly bmi: readonly [p1: number, p50: number, p99: number];
}

/** Bodies of both genders at the ages of `CHECKED_YEARS`. */
export type Bodies = Readonly<Record<Gender, readonly Body[]>>;

/**
 * The middle bodies of every country. The rules that only move spreads are left out, because they take most
 * of the time; medians do not depend on them.
 */
export function sweepBodies(model: FittedModel, countries: readonly CountryCode[] = COUNTRY_CODES) {
  const { joint: _, ...unjoined } = model;
  const populations = new Populations(unjoined);
  return new Map<CountryCode, Bodies>(
    countries.map((country) => {
      const of = (gender: Gender): Body[] => {
        const population = populations.of(gender, country);
        return CHECKED_YEARS.map((ageYears) => {
          const cohort = population.at(ageYears);
          const bmi = bodyMarginal('BMI', cohort.covariates);
          const curves = new Map<MeasurementName, (z: number) => number>();
          return {
            ...{ country, gender, ageYears },
            mm: (name, z = 0) => {
              if (!cohort.has(name)) return Number.NaN;
              if (z === 0) return cohort.medianMm(name);
              const curve = curves.get(name) ?? lnQuantileOf(cohort.marginal(name));
              curves.set(name, curve);
              return Math.exp(curve(z));
            },
            lnSd: (name) => (cohort.has(name) ? cohort.marginal(name).sd : Number.NaN),
            bmi: [-Z99, 0, Z99].map((z) => Math.exp(lnQuantile(bmi, z))) as [
              number,
              number,
              number,
            ],
          };
        });
      };
      const [Male, Female] = GENDERS.map(of) as [Body[], Body[]];
      return [country, { Male, Female }];
    }),
  );
}
