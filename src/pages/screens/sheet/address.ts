import { lengthNumber } from '../../../core/lengths.js';
import { MM_PER_UNIT } from '../../../core/units.js';
import { type ChosenPopulation, populationsQuery, readPopulations } from '../shared/populations.js';

/** What the Sheet shows: one population and many dimensions. Names are unchecked. */
export interface SheetView {
  readonly population: ChosenPopulation;
  readonly measurements: readonly string[];
  readonly unit: string;
}

/** The unit in which the API answers: feet and inches are written from inches. */
export function apiUnit({ unit }: Pick<SheetView, 'unit'>): string {
  return unit === 'ft-in' ? 'in' : unit;
}

/**
 * A length of a sheet as people read it: whole millimetres, feet and inches, or one digit.
 *
 * @param value in `apiUnit`
 */
export function sheetNumber(value: number, { unit }: Pick<SheetView, 'unit'>): string {
  if (unit === 'ft-in') return lengthNumber(value * MM_PER_UNIT.in, 'ft-in');
  return value.toFixed(unit === 'mm' ? 0 : 1);
}

/** Dimensions that one sheet can have: they fit on two pages of A4. */
export const SHEET_MAX = 60;

/** The dimensions of an address without any: those that seats, desks and passages depend on. */
const DEFAULT_MEASUREMENTS = [
  ...['Stature', 'EyeHeight', 'ShoulderHeight', 'ElbowHeight', 'KnuckleHeight', 'CrotchHeight'],
  ...['ShoulderBreadthBideltoid', 'HipBreadth', 'ChestDepth', 'SittingHeight', 'SittingEyeHeight'],
  ...['SittingShoulderHeight', 'SittingElbowHeight', 'ThighThickness', 'PoplitealHeight'],
  ...['KneeHeight', 'ButtockKneeLength', 'ButtockPoplitealLength', 'SittingHipBreadth'],
  'HandLength',
];

/** Reads a sheet from an address such as `p=Female~DE~18-65&m=Stature,HipBreadth&unit=cm`. */
export function readSheetView(params: URLSearchParams): SheetView {
  const names = params.getAll('m').flatMap((list) => list.split(','));
  const chosen = [...new Set(names.filter((name) => name !== ''))];
  return {
    population: readPopulations(params)[0] as ChosenPopulation,
    measurements: chosen.length === 0 ? DEFAULT_MEASUREMENTS : chosen,
    unit: params.get('unit') ?? 'mm',
  };
}

/** The query of a sheet, as `readSheetView` reads it. */
export function sheetQuery({ population, measurements, unit }: SheetView): string {
  const isDefault = measurements.join() === DEFAULT_MEASUREMENTS.join();
  const dimensions = isDefault ? '' : `&m=${measurements.map(encodeURIComponent).join(',')}`;
  const length = unit === 'mm' ? '' : `&unit=${encodeURIComponent(unit)}`;
  return `${populationsQuery([population])}${dimensions}${length}`;
}
