import { COUNTRY_CODES, type CountryCode } from '../../src/core/countries.js';
import { GENDERS, type Gender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { Z99 } from '../numerics/marginal.js';
import type { Asked, AskedCurve } from './asked.js';

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
  /** Median stature in mm at any age below 20 years. */
  readonly grown: (ageYears: number) => number;
  /** Median in mm, or the value at another standard score; NaN where the gender has no such dimension. */
  readonly mm: (name: MeasurementName, z?: number) => number;
  /** SD of ln D. */
  readonly lnSd: (name: MeasurementName) => number;
  /** P1, P50 and P99 of BMI (kg/m²). */
  readonly bmi: readonly [p1: number, p50: number, p99: number];
}

/** Bodies of both genders at the ages of `CHECKED_YEARS`. */
export type Bodies = Readonly<Record<Gender, readonly Body[]>>;

/** The middle bodies of every country, as the service answers them. */
export function sweepBodies(asked: Asked, countries: readonly CountryCode[] = COUNTRY_CODES) {
  return new Map<CountryCode, Bodies>(
    countries.map((country) => {
      const of = (gender: Gender): Body[] => {
        const grown = asked.grownMm(gender, country);
        return CHECKED_YEARS.map((ageYears) => {
          const people = { gender, country, ageYears };
          const curves = new Map<MeasurementName, AskedCurve | undefined>();
          const curveOf = (name: MeasurementName) => {
            if (!curves.has(name)) curves.set(name, asked.curve(name, people));
            return curves.get(name);
          };
          const bmi = asked.known('BMI', people);
          return {
            ...{ country, gender, ageYears, grown },
            mm: (name, z = 0) => curveOf(name)?.at(z) ?? Number.NaN,
            lnSd: (name) => curveOf(name)?.lnSd ?? Number.NaN,
            bmi: [bmi.at(-Z99), bmi.median, bmi.at(Z99)],
          };
        });
      };
      const [Male, Female] = GENDERS.map(of) as [Body[], Body[]];
      return [country, { Male, Female }];
    }),
  );
}
