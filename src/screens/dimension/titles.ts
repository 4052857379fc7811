import { AGE_LIMITS } from '../../core/limits.js';
import { inWords, percentileText } from '../../site/labels.js';
import { countryName, peopleAged } from '../shared/names.js';
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
  const who = `${peopleAged(gender, age)}, ${where}`;
  if (kind === 'connected') return `${inWords(linked)} given ${name.toLowerCase()}: ${who}`;
  return `${name}: ${who}`;
}

/** The ages that a chart of ages shows, such as `from birth to 20 years`. */
export function agesText({ ages: [from, to] }: DimensionView): string {
  const start = from === AGE_LIMITS.minimum ? 'birth' : percentileText(from);
  return `from ${start} to ${percentileText(to)} years`;
}
