import { amountUnit, formatAmount, isMass, toPlain } from '../../site/amounts.js';
import { clothingSentence, inWords, percentileText } from '../../site/labels.js';
import { unitText } from '../../site/lengths.js';
import { countryName, peopleAged } from '../shared/names.js';
import type { WorldView } from './address.js';
import type { CountryValue, WorldData } from './data-types.js';

/** Grades of evidence. On the map, more lines mean a larger error of the median. */
export const GRADES = ['A', 'B', 'C', 'D'] as const;

/** Number of colours of the map. */
export const CLASSES = 6;

/** Topic and people of a view, in one line. */
export function worldTitle({ measurement, percentile, gender, age }: WorldView): string {
  const who = peopleAged(gender, age);
  return `${inWords(measurement)}, percentile ${percentileText(percentile)}: ${who}, all countries`;
}

/** What the numbers depend on besides the title. */
export function conditionsOf(view: WorldView, artifactVersion: string): string {
  return `${clothingSentence([dressOf(view)])} Unit: ${unitText(view.unit)}. Vitruvia, data ${artifactVersion}.`;
}

/** Clothing of the people in a view. Those of body mass and BMI are nude. */
export function dressOf({ measurement, clothing }: WorldView): string {
  return isMass(measurement) ? 'nude' : clothing;
}

/** A value for readers. `value` is in the unit of the view's numbers. */
export function valueText(value: number, { unit }: Pick<WorldView, 'unit'>): string {
  return formatAmount(toPlain(value, unit), amountUnit(unit));
}

/** Value, rank and evidence of a country, in a sentence. */
export function countryText(
  { country, value, grade, measuredHere }: CountryValue,
  { countries }: WorldData,
  view: WorldView,
): string {
  const rank = countries.findIndex((one) => one.country === country) + 1;
  const measured = measuredHere === true ? ', measured in the country' : '';
  const evidence = grade === undefined ? 'no evidence' : `grade ${grade}${measured}`;
  return `${countryName(country)}: ${valueText(value, view)}, rank ${rank} of ${countries.length}, ${evidence}`;
}

/** The ends of the map's colours, from the smallest value to the largest, in the unit of the numbers. */
export function classEnds({ countries }: Pick<WorldData, 'countries'>): readonly number[] {
  const most = countries[0]?.value ?? 0;
  const least = countries.at(-1)?.value ?? 0;
  return Array.from({ length: CLASSES + 1 }, (_, i) => least + ((most - least) * i) / CLASSES);
}

/** The colour of a value, from 0 for the smallest. */
export function classOf(value: number, ends: readonly number[]): number {
  const above = ends.findIndex((end) => value < end);
  return above === -1 ? CLASSES - 1 : Math.max(0, above - 1);
}
