import { fromMm, toMm } from '../../../core/units.js';
import { CLOTHING_LABELS, POSTURE_LABELS } from '../../../site/labels.js';
import { formatLength, shownUnit } from '../../widgets/lengths.js';
import { apiUnit, type DimensionView, unitOfNumbers } from '../address.js';

/** A length for readers, with its unit. `value` is in the unit of the view's numbers. */
export function lengthText(value: number, unit: string): string {
  return formatLength(toMm(value, unitOfNumbers(unit)), shownUnit(unit));
}

/** The error of a length, with its unit and as many digits as the length. */
export function errorText(errorMm: number, value: number, unit: string): string {
  const isShort = toMm(value, unitOfNumbers(unit)) < 100;
  const shown = unitOfNumbers(unit);
  const digits = (isShort ? 1 : 0) + (shown === 'mm' ? 0 : 1);
  const least = 10 ** -digits;
  return `${Math.max(least, fromMm(errorMm, shown)).toFixed(digits)} ${shown}`;
}

export { percentileText } from '../../../site/labels.js';
export { countryName, people } from '../../shared/names.js';
export { agesText, titleOf } from '../titles.js';

/** Clothing, posture, unit and data version of a view, in one line. */
export function conditionsOf(view: DimensionView, version: string): string {
  const clothing = CLOTHING_LABELS[view.clothing] ?? view.clothing;
  const posture = POSTURE_LABELS[view.posture] ?? view.posture;
  return `Clothing: ${clothing}. Posture: ${posture}. Unit: ${apiUnit(view.unit)}. Vitruvia, data ${version}.`;
}

/** Name of an exported file without its extension. It contains the whole view and the data version. */
export function fileName(view: DimensionView, version: string): string {
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
