import { AGE_LIMITS } from '../../../core/limits.js';
import { UNITS, type Unit } from '../../../core/units.js';

/** The kinds of views of the screen of one dimension. */
export const VIEW_KINDS = ['distribution', 'ages', 'connected'] as const;

/** One kind of view. */
export type ViewKind = (typeof VIEW_KINDS)[number];

/** A person on the chart of ages. */
export interface AgePoint {
  readonly ageYears: number;
  readonly valueMm: number;
}

/** People that the chart of ages shows at most. */
export const AGE_POINTS_MAX = 20;

/** Ages from and to which a chart is drawn. */
export type AgeRange = readonly [fromYears: number, toYears: number];

const ALL_AGES: AgeRange = [AGE_LIMITS.minimum, AGE_LIMITS.maximum];

/**
 * One view of the screen of one dimension, as read from its address. The browser and the server share this type.
 * Names and numbers are unchecked: the validator of the operation checks them. A number that cannot
 * be parsed is NaN.
 */
export interface DimensionView {
  readonly kind: ViewKind;
  readonly measurement: string;
  readonly gender: string;
  readonly age: number;
  /** The exact point belongs to the first country; the others are compared with it. */
  readonly countries: readonly string[];
  readonly clothing: string;
  readonly posture: string;
  /** A unit of the API, or `ft-in`: feet and inches, for which the API answers inches. */
  readonly unit: string;
  readonly percentile: number;
  /** When given, the percentile of this length, in `apiUnit(unit)`, is looked up and `percentile` is ignored. */
  readonly value?: number | undefined;
  /** The second dimension of a connected range. */
  readonly linked: string;
  /** Share of people the connected range covers, in percent. */
  readonly cover: number;
  /** The ages that the chart of ages shows. */
  readonly ages: AgeRange;
  /** People whom the chart of ages shows. */
  readonly points: readonly AgePoint[];
}

/** The view of an address without parameters. */
export const DEFAULT_VIEW: DimensionView = {
  kind: 'distribution',
  measurement: 'Stature',
  gender: 'Female',
  age: 30,
  countries: ['US'],
  clothing: 'nude',
  posture: 'standing_erect',
  unit: 'mm',
  percentile: 50,
  linked: 'SittingHeight',
  cover: 90,
  ages: ALL_AGES,
  points: [],
};

/** The unit in which the API answers for a view in `unit`. An unknown name stays, for the API to refuse. */
export function apiUnit(unit: string): string {
  return unit === 'ft-in' ? 'in' : unit;
}

/** The unit of the numbers of a view that the API has answered. */
export function unitOfNumbers(unit: string): Unit {
  return UNITS.find((one) => one === apiUnit(unit)) ?? 'mm';
}

/** Reads a view from the parameters of an address; unknown parameters are ignored. */
export function readDimensionView(params: URLSearchParams): DimensionView {
  const text = (name: string, fallback: string) => params.get(name) ?? fallback;
  const number = (name: string, fallback: number) => {
    const given = params.get(name)?.trim();
    if (given === undefined) return fallback;
    return given === '' ? Number.NaN : Number(given);
  };
  const kind = VIEW_KINDS.find((name) => name === params.get('view')) ?? DEFAULT_VIEW.kind;
  const countries = params.getAll('country').flatMap((list) => list.split(','));
  const measurement = text('measurement', DEFAULT_VIEW.measurement);
  return {
    kind,
    measurement,
    gender: text('gender', DEFAULT_VIEW.gender),
    age: number('age', DEFAULT_VIEW.age),
    countries: countries.length === 0 ? DEFAULT_VIEW.countries : countries,
    clothing: text('clothing', DEFAULT_VIEW.clothing),
    posture: text('posture', DEFAULT_VIEW.posture),
    unit: text('unit', DEFAULT_VIEW.unit),
    percentile: number('percentile', DEFAULT_VIEW.percentile),
    value: params.has('value') ? number('value', 0) : undefined,
    linked: text('linked', measurement === DEFAULT_VIEW.linked ? 'Stature' : DEFAULT_VIEW.linked),
    cover: number('cover', DEFAULT_VIEW.cover),
    ages: readAges(params.get('ages')),
    points: readPoints(params.get('points')),
  };
}

/** Ages such as `0-20`; all ages for any other text. */
function readAges(text: string | null): AgeRange {
  const [from = Number.NaN, to = Number.NaN] = (text ?? '').split('-').map(Number);
  const known = from >= AGE_LIMITS.minimum && to <= AGE_LIMITS.maximum && from < to;
  return known ? [from, to] : ALL_AGES;
}

/** People such as `8.5:1300,9:1352`: ages in years and lengths in mm. Others are left out. */
function readPoints(text: string | null): AgePoint[] {
  const points = (text ?? '').split(',').map((pair) => {
    const [ageYears = Number.NaN, valueMm = Number.NaN] = pair.split(':').map(Number);
    return { ageYears, valueMm };
  });
  const isKnown = ({ ageYears, valueMm }: AgePoint) =>
    ageYears >= AGE_LIMITS.minimum && ageYears <= AGE_LIMITS.maximum && valueMm > 0;
  return points.filter(isKnown).slice(0, AGE_POINTS_MAX);
}

/** The canonical query of a view, without defaults and without values that the kind ignores. */
export function dimensionQuery(view: DimensionView): string {
  const words: string[] = [];
  const add = (name: string, value: string | number, first?: string | number) => {
    if (value !== first) words.push(`${name}=${encodeURIComponent(value)}`);
  };
  add('view', view.kind, DEFAULT_VIEW.kind);
  add('measurement', view.measurement);
  if (view.kind === 'connected') {
    add('linked', view.linked);
    add('cover', view.cover, DEFAULT_VIEW.cover);
  }
  add('gender', view.gender);
  add('age', view.age);
  words.push(`country=${view.countries.map(encodeURIComponent).join(',')}`);
  add('clothing', view.clothing, DEFAULT_VIEW.clothing);
  add('posture', view.posture, DEFAULT_VIEW.posture);
  add('unit', view.unit, DEFAULT_VIEW.unit);
  if (view.kind === 'distribution' && view.value !== undefined) add('value', view.value);
  else add('percentile', view.percentile);
  if (view.kind === 'ages') {
    add('ages', view.ages.join('-'), ALL_AGES.join('-'));
    const points = view.points.map(({ ageYears, valueMm }) => `${ageYears}:${valueMm}`);
    add('points', points.join(','), '');
  }
  return words.join('&');
}

/** The query of the chart data of a view: without what only the picture in the browser shows. */
export function dimensionDataQuery(view: DimensionView): string {
  return dimensionQuery({ ...view, ages: ALL_AGES, points: [], unit: apiUnit(view.unit) });
}
