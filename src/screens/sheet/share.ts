import { inWords, MASS_UNITS } from '../../site/labels.js';
import type { ShareContent } from '../../site/share-card.js';
import { populationLabel } from '../shared/populations.js';
import { type SheetView, sheetNumber } from './address.js';
import type { SheetData } from './data.js';

/** The share image of a sheet: its person and its first dimensions. */
export function sharedSheet(view: SheetView, data: SheetData): ShareContent {
  return {
    title: `${populationLabel(view.population)}: sheet of ${data.rows.length} dimensions`,
    note: `P5, P50 and P95 in ${view.unit === 'ft-in' ? 'feet and inches' : view.unit}`,
    artifactVersion: data.artifactVersion,
    people: data.drawn?.pictures.slice(0, 3) ?? [],
    facts: data.rows.map(({ measurement, p5, p50, p95 }) => {
      const numbers = [p5, p50, p95]
        .map((value) => sheetNumber(value, view, measurement))
        .join(', ');
      const unit = MASS_UNITS[measurement];
      return `${numbers} ${unit === undefined ? '' : `${unit} `}${inWords(measurement)}`;
    }),
  };
}
