import { BODY_REGIONS } from '../../core/body-regions.js';
import { MM_PER_UNIT } from '../../core/units.js';
import { MASS_UNITS } from '../../site/labels.js';
import { lengthNumber, SHOWN_UNITS } from '../../site/lengths.js';
import { SCREEN_PATHS } from '../../site/paths.js';
import {
  choice,
  type Fields,
  readFields,
  type Say,
  type ScreenAddress,
  UNSAID,
  writeFields,
} from '../shared/address-fields.js';
import { dimensions } from '../shared/dimension-fields.js';
import {
  type ChosenPopulation,
  POPULATIONS,
  populationLabel,
  SHOWN_POPULATION,
} from '../shared/populations.js';

/** The view of the Sheet: one population and many dimensions. Names are not checked yet. */
export interface SheetView {
  /** The populations of all screens. The sheet shows one of them. */
  readonly populations: readonly ChosenPopulation[];
  /** Number of the shown population, from 1. */
  readonly shown: number;
  /** The shown population. It follows from `populations` and `shown`. */
  readonly population: ChosenPopulation;
  readonly measurements: readonly string[];
  readonly unit: string;
}

/** The unit in which the API answers. Feet and inches are computed from inches. */
export function apiUnit({ unit }: Pick<SheetView, 'unit'>): string {
  return unit === 'ft-in' ? 'in' : unit;
}

/**
 * A number of a sheet for readers: a length in whole millimetres, in feet and inches, or with one decimal; a mass or a
 * BMI with one decimal.
 *
 * @param value in `apiUnit`, kg or kg/m²
 */
export function sheetNumber(
  value: number,
  { unit }: Pick<SheetView, 'unit'>,
  measurement: string,
): string {
  const isMass = measurement in MASS_UNITS;
  if (unit === 'ft-in' && !isMass) return lengthNumber(value * MM_PER_UNIT.in, 'ft-in');
  const digits = unit === 'mm' && !isMass ? 0 : 1;
  return value.toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** The choices of a sheet by region of the body, with the mass of the whole body. */
export const SHEET_REGIONS = [
  ...BODY_REGIONS,
  {
    id: 'mass',
    title: 'Body mass',
    measurements: Object.keys(MASS_UNITS).map((name) => ({ name })),
  },
];

/** Maximum number of dimensions of a sheet. They fit on two pages of A4. */
export const SHEET_MAX = 60;

/** Id of the element above the sheet where the page says why there is no sheet. */
export const SHEET_NOTICE_ID = 'sheet-notice';

/** Default dimensions of an address: those that seats, desks and passages depend on. */
const DEFAULT_MEASUREMENTS = [
  ...['Stature', 'EyeHeight', 'ShoulderHeight', 'ElbowHeight', 'KnuckleHeight', 'CrotchHeight'],
  ...['ShoulderBreadthBideltoid', 'HipBreadth', 'ChestDepth', 'SittingHeight', 'SittingEyeHeight'],
  ...['SittingShoulderHeight', 'SittingElbowHeight', 'ThighThickness', 'PoplitealHeight'],
  ...['KneeHeight', 'ButtockKneeLength', 'ButtockPoplitealLength', 'SittingHipBreadth'],
  'HandLength',
];

const FIELDS: Fields<SheetView> = {
  populations: POPULATIONS,
  shown: SHOWN_POPULATION,
  population: {
    read(params) {
      const populations = POPULATIONS.read(params, UNSAID);
      return populations[SHOWN_POPULATION.read(params, UNSAID) - 1] as ChosenPopulation;
    },
    write: () => [],
  },
  measurements: dimensions('m', 'dimensions', DEFAULT_MEASUREMENTS),
  unit: choice('unit', 'unit', SHOWN_UNITS, 'mm'),
};

/** Reads a sheet from an address such as `p=Female~DE~18-65&m=Stature,HipBreadth&unit=cm`. */
export function readSheetView(query: string, say: Say = UNSAID): SheetView {
  return readFields(FIELDS, query, say);
}

/** The query of a sheet. `readSheetView` reads it. */
export function sheetQuery(view: SheetView): string {
  return writeFields(FIELDS, view);
}

/** The address of the screen. */
export const SHEET_ADDRESS: ScreenAddress<SheetView> = {
  path: SCREEN_PATHS.sheet,
  read: readSheetView,
  query: sheetQuery,
  title: ({ population }) => `${populationLabel(population)}: sheet`,
};
