import { AGE_LIMITS } from '../../core/limits.js';
import { amountUnit, formatAmount, fromPlain, isMass, toPlain } from '../../site/amounts.js';
import { inSentence } from '../../site/in-sentence.js';
import { clothingSentence, inWords, POSTURE_LABELS, percentileText } from '../../site/labels.js';
import { countryInSentence, countryName, peopleAged } from '../shared/names.js';
import { apiUnit, type DimensionView } from './address.js';
import type { CountryValue, CountryValues, DimensionData } from './data-types.js';

export { percentileText } from '../../site/labels.js';
export { countryName, peopleAged } from '../shared/names.js';

/** A value for readers, with its unit. `value` is in the unit of the view's numbers. */
export function valueText(value: number, unit: string): string {
  return formatAmount(toPlain(value, unit), amountUnit(unit));
}

/** The error of a value, with its unit and as many digits as the value. `error` is in mm, kg or kg/m². */
export function errorText(
  error: number,
  value: number,
  { measurement, unit }: Pick<DimensionView, 'measurement' | 'unit'>,
): string {
  const shown = apiUnit(unit);
  const isShort = toPlain(value, unit) < 100 && !isMass(measurement);
  const digits = (isShort ? 1 : 0) + (shown === 'mm' ? 0 : 1);
  const least = 10 ** -digits;
  return `${Math.max(least, fromPlain(error, unit)).toFixed(digits)} ${shown}`;
}

/** Topic and people of a view, in one line. */
export function titleOf(view: DimensionView): string {
  const { kind, measurement, linked, percentile, gender, age, countries } = view;
  const where = countries.map(countryName).join(', ');
  const name = inWords(measurement);
  if (kind === 'ages') {
    const who = gender === 'Male' ? 'men and boys' : 'women and girls';
    return `${name} ${agesText(view)}: ${who}, ${where}`;
  }
  const people = peopleAged(gender, age);
  if (kind === 'countries') {
    return `${name}, percentile ${percentileText(percentile)}: ${people}, all countries`;
  }
  const about = kind === 'connected' ? `${inWords(linked)} given ${name.toLowerCase()}` : name;
  return `${about}: ${people}, ${where}`;
}

function valueIn(one: { readonly country?: string; readonly value: number }, unit: string): string {
  const { country, value } = one;
  return (
    valueText(value, unit) + (country === undefined ? '' : ` in ${countryInSentence(country)}`)
  );
}

/** What a view found, in one line: its title says what it is about. */
export function findingOf(view: DimensionView, { picture, answer }: DimensionData): string {
  const { measurement, gender, age, countries, percentile, unit } = view;
  const [name, first] = [inWords(measurement), countries.length === 1 ? countries[0] : undefined];
  if (picture.kind === 'countries') {
    const [most, least] = [picture.countries[0], picture.countries.at(-1)];
    if (most === undefined || least === undefined) return titleOf(view);
    const end = (one: CountryValue) => valueIn(one, unit);
    return `${titleOf(view)}, from ${end(least)} to ${end(most)}`;
  }
  if (first === undefined) {
    const values = picture.kind === 'distribution' ? (answer?.values ?? []) : [];
    const places = values.map((one) => valueIn(one, unit)).join(', ');
    return places === ''
      ? titleOf(view)
      : `${name}, P${percentileText(percentile)} of ${peopleAged(gender, age)}: ${places}`;
  }
  if (picture.kind === 'ages') {
    const { values = [] } = picture.lines.find((one) => one.percentile === 50) ?? {};
    const [from, to] = view.ages;
    const shown = values.map((value, i) => {
      const years = picture.agesYears[i] ?? Number.NaN;
      return years >= from && years <= to ? (value ?? 0) : 0;
    });
    const most = Math.max(...shown);
    const at = picture.agesYears[shown.indexOf(most)];
    if (at === undefined || most === 0) return titleOf(view);
    return `${titleOf(view)}. The median is largest at ${at} years: ${valueText(most, unit)}`;
  }
  if (picture.kind === 'distribution' && answer?.value !== undefined) {
    const share = percentileText(answer.percentile ?? percentile);
    return `${share} % of ${peopleAged(gender, age)}, ${countryName(first)}, have ${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${inSentence(name)} below ${valueText(answer.value, unit)}`;
  }
  return titleOf(view);
}

/** Topic and people of a view with its value, if it has a single one. */
export function answerText(view: DimensionView, { answer }: DimensionData): string {
  const value = answer?.value;
  const { percentile = view.percentile } = answer ?? {};
  return value === undefined
    ? titleOf(view)
    : `${titleOf(view)}: ${valueText(value, view.unit)} is P${percentileText(percentile)}`;
}

/** The ages that a chart of ages shows, such as `from birth to 20 years`. */
export function agesText({ ages: [from, to] }: DimensionView): string {
  const start = from === AGE_LIMITS.minimum ? 'birth' : percentileText(from);
  return `from ${start} to ${percentileText(to)} years`;
}

/** Value, rank and evidence of a country, in a sentence. */
export function countryText(
  one: CountryValue,
  { countries }: CountryValues,
  { unit }: DimensionView,
): string {
  const rank = countries.findIndex(({ country }) => country === one.country) + 1;
  const value = valueText(one.value, unit);
  return `${countryName(one.country)}: ${value}, rank ${rank} of ${countries.length}, ${evidenceText(one)}`;
}

/** The evidence for the median of a country. */
export function evidenceText({ grade, measuredHere }: CountryValue): string {
  if (grade === undefined) return 'no evidence';
  return `grade ${grade}${measuredHere === true ? ', measured in the country' : ''}`;
}

/** Clothing and posture of the people in a view. Those of body mass and BMI are nude. */
export function dressOf(view: DimensionView): Pick<DimensionView, 'clothing' | 'posture'> {
  return isMass(view.measurement) ? { clothing: 'nude', posture: '' } : view;
}

/** Clothing, posture, unit and data version of a view, in one line. */
export function conditionsOf(view: DimensionView, version: string): string {
  const posture = POSTURE_LABELS[view.posture] ?? view.posture;
  const dressed = isMass(view.measurement)
    ? 'The body is nude.'
    : `${clothingSentence([view.clothing])} Posture: ${posture}.`;
  return `${dressed} Unit: ${apiUnit(view.unit)}. Vitruvia, data ${version}.`;
}

/** What the name of an exported file says: the whole view. */
export function fileWords(view: DimensionView): readonly string[] {
  const { kind, measurement, linked, gender, age, ages, countries, percentile, value } = view;
  const { clothing, posture } = dressOf(view);
  const unit = apiUnit(view.unit);
  const point =
    kind === 'distribution' && value !== undefined ? `${value}${unit}` : `P${percentile}`;
  return [
    kind === 'connected' ? `${measurement}-${linked}-${view.cover}pct` : measurement,
    gender,
    kind === 'ages' ? `ages${ages.join('to')}` : `age${age}`,
    ...(kind === 'countries' ? [] : countries),
    ...[clothing, posture, point, unit, kind],
  ];
}
