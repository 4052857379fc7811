import { apiUnit, type View } from '../../src/core/explorer-view.js';
import { CLOTHING_LABELS, inWords, POSTURE_LABELS } from '../../src/core/labels.js';
import { AGE_LIMITS } from '../../src/core/limits.js';
import { countryName, people, percentileText } from './format.js';

/** What a view shows of whom, in one line. */
export function titleOf(view: View): string {
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

/** The ages of a chart of ages: `from birth to 20 years`. */
export function agesText({ ages: [from, to] }: View): string {
  const start = from === AGE_LIMITS.minimum ? 'birth' : percentileText(from);
  return `from ${start} to ${percentileText(to)} years`;
}

/** Clothing, posture, unit and version of a view, in one line. */
export function conditionsOf(view: View, version: string): string {
  const clothing = CLOTHING_LABELS[view.clothing] ?? view.clothing;
  const posture = POSTURE_LABELS[view.posture] ?? view.posture;
  return `Clothing: ${clothing}. Posture: ${posture}. Unit: ${apiUnit(view.unit)}. Vitruvia, data ${version}.`;
}

/** Name of an exported file, without its extension: all of the view, and the version of the data. */
export function fileName(view: View, version: string): string {
  const { kind, measurement, linked, gender, age, ages, countries, percentile, value } = view;
  const { clothing, posture } = view;
  const unit = apiUnit(view.unit);
  const point =
    kind === 'distribution' && value !== undefined ? `${value}${unit}` : `P${percentile}`;
  const words = [
    'vitruvia',
    kind === 'connected' ? `${measurement}-${linked}-${view.cover}pct` : measurement,
    gender,
    kind === 'ages' ? `ages${ages.join('to')}` : `age${age}`,
    ...countries,
    clothing,
    posture,
    point,
    unit,
    kind,
    version,
  ];
  return words.join('-').replace(/[^\w.-]/g, '');
}
