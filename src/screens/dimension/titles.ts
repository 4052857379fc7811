import { COUNTRIES } from '../../core/countries.js';
import { AGE_LIMITS } from '../../core/limits.js';
import { inWords, percentileText } from '../../site/labels.js';
import type { DimensionView } from './address.js';

/** Topic and people of a view, in one line. */
export function titleOf(view: DimensionView): string {
  const { kind, measurement, linked, gender, age, countries } = view;
  const where = countries.map(countryName).join(', ');
  const name = inWords(measurement);
  if (kind === 'ages') {
    const who = gender === 'Male' ? 'men and boys' : 'women and girls';
    return `${name} ${agesText(view)}: ${who}, ${where}`;
  }
  const who = `${people(gender, age)} aged ${percentileText(age)}, ${where}`;
  if (kind === 'connected') return `${inWords(linked)} given ${name.toLowerCase()}: ${who}`;
  return `${name}: ${who}`;
}

/** The ages that a chart of ages shows, such as `from birth to 20 years`. */
export function agesText({ ages: [from, to] }: DimensionView): string {
  const start = from === AGE_LIMITS.minimum ? 'birth' : percentileText(from);
  return `from ${start} to ${percentileText(to)} years`;
}

const NAMES: ReadonlyMap<string, string> = new Map(COUNTRIES.map(({ code, name }) => [code, name]));

/** The word for people of a gender and age. */
export function people(gender: string, ageYears: number): string {
  if (ageYears < 18) return gender === 'Male' ? 'boys' : 'girls';
  return gender === 'Male' ? 'men' : 'women';
}

/** English name of a country, or its code if the name is unknown. */
export function countryName(code: string): string {
  return NAMES.get(code) ?? code;
}
