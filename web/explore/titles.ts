import { apiUnit, type View } from '../../src/core/explorer-view.js';
import { CLOTHING_LABELS, POSTURE_LABELS } from '../../src/core/labels.js';

export { agesText, titleOf } from '../../src/core/explorer-titles.js';

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
