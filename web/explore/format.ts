import { COUNTRIES } from '../../src/core/countries.js';

const EXACT = new Intl.NumberFormat('en', { maximumFractionDigits: 5 });

/** A number as the API returned it, with all digits and with thousands separators. */
export function exact(value: number): string {
  return EXACT.format(value);
}

/** A length read off a curve, rounded to the precision of the curve. */
export function rough(value: number, unit: string): string {
  const mm = unit === 'mm' ? value : value * (unit === 'cm' ? 10 : 25.4);
  const digits = (mm >= 100 ? 0 : 1) + { mm: 0, cm: 1, in: 2 }[unit as 'mm' | 'cm' | 'in'];
  return value.toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** A percentile with at most two decimals. */
export function percentileText(percentile: number): string {
  return percentile.toLocaleString('en', { maximumFractionDigits: 2 });
}

const NAMES: ReadonlyMap<string, string> = new Map(COUNTRIES.map(({ code, name }) => [code, name]));

/** The word for people of a gender and age. */
export function people(gender: string, ageYears: number): string {
  if (ageYears < 18) return gender === 'Male' ? 'boys' : 'girls';
  return gender === 'Male' ? 'men' : 'women';
}

/** English name of a country; its code when the name is unknown. */
export function countryName(code: string): string {
  return NAMES.get(code) ?? code;
}
