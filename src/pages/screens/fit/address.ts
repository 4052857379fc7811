import {
  type ChosenPopulation,
  DEFAULT_POPULATIONS,
  populationsQuery,
  readPopulations,
} from '../shared/populations.js';
import { BOX_ID, PRODUCTS, type Product, type ProductRule, productById } from './products.js';

/** Percentiles of the curves on the Fit screen. */
export const FIT_PERCENTILES = [1, 5, 25, 50, 75, 95, 99] as const;

/** Percentiles of the person in the picture of the Fit screen. */
export const FIT_PERSONS = [5, 50, 95] as const;

/** A limit that a visitor draws: a measurement with a least and a largest value in mm. */
export interface BoxLimit {
  readonly measurement: string;
  readonly minMm?: number | undefined;
  readonly maxMm?: number | undefined;
}

/** What the Fit screen shows. Names and numbers of an address are unchecked. */
export interface FitView {
  /** Id of a product, or `BOX_ID`. */
  readonly product: string;
  readonly populations: readonly ChosenPopulation[];
  /** Sizes of the product by id. */
  readonly sizesMm: Readonly<Record<string, number>>;
  /** Clearances of the product's rules in their order. */
  readonly clearancesMm: readonly number[];
  /** Limits of the box. */
  readonly limits: readonly BoxLimit[];
  /** The two measurements of the plot of two dimensions; the first two limits if undefined. */
  readonly pair?: readonly [string, string] | undefined;
  /** Share of the people to design for, in percent. */
  readonly targetPercent: number;
  readonly unit: string;
}

/** Limits that a box can have. */
export const BOX_LIMITS_MAX = 8;
const TARGET_PERCENT = 90;
/** The box of an address without limits. */
const DEFAULT_BOX: readonly BoxLimit[] = [
  { measurement: 'Stature', minMm: 1500, maxMm: 1900 },
  { measurement: 'SittingHeight', minMm: 800, maxMm: 980 },
];

/** The view of a product with its own sizes and clearances. */
export function viewOfProduct(id: string, rest: Partial<FitView> = {}): FitView {
  const product = productById(id);
  return {
    product: product?.id ?? (id === BOX_ID ? BOX_ID : (PRODUCTS[0] as Product).id),
    populations: DEFAULT_POPULATIONS,
    targetPercent: TARGET_PERCENT,
    unit: 'mm',
    limits: DEFAULT_BOX,
    ...rest,
    sizesMm: Object.fromEntries(
      product?.sizes.map(({ id: of, defaultMm }) => [of, defaultMm]) ?? [],
    ),
    clearancesMm: product?.rules.map(({ clearanceMm }) => clearanceMm) ?? [],
  };
}

/**
 * Reads a view from an address such as `product=bed&p=Male~NL~18-65&length=1900&clear=100,200`.
 * What is left out has its default. Limits of a box are `limit=Stature~1500~1900`.
 */
export function readFitView(params: URLSearchParams): FitView {
  const asked = params.get('product') ?? (params.has('limit') ? BOX_ID : PRODUCTS[0]?.id) ?? '';
  const number = (text: string | null | undefined, otherwise: number) =>
    text === null || text === undefined || text.trim() === '' ? otherwise : Number(text);
  const view = viewOfProduct(asked);
  const clearances = params.get('clear')?.split(',') ?? [];
  const limits = params.getAll('limit').slice(0, BOX_LIMITS_MAX).map(readLimit);
  return {
    ...view,
    populations: readPopulations(params),
    sizesMm: Object.fromEntries(
      Object.entries(view.sizesMm).map(([id, mm]) => [id, number(params.get(id), mm)]),
    ),
    clearancesMm: view.clearancesMm.map((mm, index) => number(clearances[index], mm)),
    limits: limits.length === 0 ? view.limits : limits,
    pair: readPair(params.get('pair')),
    targetPercent: number(params.get('target'), TARGET_PERCENT),
    unit: params.get('unit') ?? 'mm',
  };
}

function readLimit(text: string): BoxLimit {
  const [measurement = '', min = '', max = ''] = text.split('~');
  return {
    measurement,
    minMm: min === '' ? undefined : Number(min),
    maxMm: max === '' ? undefined : Number(max),
  };
}

function readPair(text: string | null): FitView['pair'] {
  const [one, other] = text?.split('~') ?? [];
  return one === undefined || other === undefined ? undefined : [one, other];
}

/** The two measurements that the view plots against each other; undefined with a single limit. */
export function pairOf(view: FitView): readonly [string, string] | undefined {
  const names = [...new Set(limitsOf(view).map(({ measurement }) => measurement))];
  const { pair } = view;
  if (pair !== undefined && pair[0] !== pair[1] && pair.every((name) => names.includes(name))) {
    return pair;
  }
  const [one, other] = names;
  return one === undefined || other === undefined ? undefined : [one, other];
}

/** The canonical query of a view, as `readFitView` reads it, without values at their defaults. */
export function fitQuery(view: FitView): string {
  const defaults = viewOfProduct(view.product);
  const words = [`product=${view.product}`, populationsQuery(view.populations)];
  for (const [id, mm] of Object.entries(view.sizesMm)) {
    if (mm !== defaults.sizesMm[id]) words.push(`${id}=${mm}`);
  }
  if (view.clearancesMm.some((mm, index) => mm !== defaults.clearancesMm[index])) {
    words.push(`clear=${view.clearancesMm.join(',')}`);
  }
  if (view.product === BOX_ID) {
    for (const { measurement, minMm, maxMm } of view.limits) {
      words.push(`limit=${encodeURIComponent(measurement)}~${minMm ?? ''}~${maxMm ?? ''}`);
    }
  }
  if (view.pair !== undefined) words.push(`pair=${view.pair.map(encodeURIComponent).join('~')}`);
  if (view.targetPercent !== TARGET_PERCENT) words.push(`target=${view.targetPercent}`);
  if (view.unit !== 'mm') words.push(`unit=${encodeURIComponent(view.unit)}`);
  return words.join('&');
}

/** Rules of the view's product with the clearances of the view; none for a box. */
export function rulesOf({ product, clearancesMm }: FitView): readonly ProductRule[] {
  const rules = productById(product)?.rules ?? [];
  return rules.map((rule, index) => ({
    ...rule,
    clearanceMm: clearancesMm[index] ?? rule.clearanceMm,
  }));
}

/** The limits of measurements that the view sets: one for each measurement. */
export function limitsOf(view: FitView): readonly BoxLimit[] {
  if (view.product === BOX_ID) return view.limits;
  const limits = new Map<string, { minMm?: number; maxMm?: number }>();
  for (const { size, kind, measurement, clearanceMm } of rulesOf(view)) {
    const limit = limits.get(measurement) ?? {};
    // Rounded because clearances in inches leave digits that nobody has chosen.
    const mm = Math.round(((view.sizesMm[size] ?? 0) - clearanceMm) * 1000) / 1000;
    if (kind === 'room') limit.maxMm = Math.min(mm, limit.maxMm ?? mm);
    else limit.minMm = Math.max(mm, limit.minMm ?? mm);
    limits.set(measurement, limit);
  }
  return [...limits].map(([measurement, limit]) => ({ measurement, ...limit }));
}

/** Clothing of a population in the view: its own, or else what the users of the product wear. */
export function clothingIn(view: FitView, { clothing }: ChosenPopulation): string {
  return clothing === 'nude' ? (productById(view.product)?.clothing ?? 'nude') : clothing;
}
