import { COUNTRIES } from '../../core/countries.js';

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
