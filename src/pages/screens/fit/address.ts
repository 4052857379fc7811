import { SHOWN_UNITS } from '../../../core/lengths.js';
import { SCREEN_PATHS } from '../paths.js';
import {
  choice,
  type Field,
  type Fields,
  list,
  number,
  numberIn,
  readFields,
  type Say,
  type ScreenAddress,
  UNSAID,
  writeFields,
} from '../shared/address-fields.js';
import { type ChosenPopulation, DEFAULT_POPULATIONS, POPULATIONS } from '../shared/populations.js';
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

/** The least length that a box can have, and the largest clearance, mm. */
const BOX_RANGE = { min: 1, max: 2800, otherwise: 1, unit: ' mm' } as const;
const CLEARANCE_RANGE = { min: -1000, max: 1000, unit: ' mm' } as const;

/** What every view has, in the order of the address; the sizes of the product follow. */
const FIELDS: Fields<Omit<FitView, 'sizesMm' | 'clearancesMm'>> = {
  product: {
    read: (params, say) =>
      params.has('limit') && !params.has('product') ? BOX_ID : PRODUCT.read(params, say),
    write: (product) => [`product=${product}`],
  },
  populations: POPULATIONS,
  limits: list('limit', 'limits', BOX_LIMITS_MAX, DEFAULT_BOX, {
    read: readLimit,
    write: ({ measurement, minMm, maxMm }) =>
      `${encodeURIComponent(measurement)}~${minMm ?? ''}~${maxMm ?? ''}`,
  }),
  pair: {
    read(params) {
      const [one, other] = params.get('pair')?.split('~') ?? [];
      return one === undefined || other === undefined ? undefined : [one, other];
    },
    write: (pair) => (pair === undefined ? [] : [`pair=${pair.map(encodeURIComponent).join('~')}`]),
  },
  targetPercent: number('target', 'share to design for', {
    ...{ min: 1, max: 99.9, otherwise: TARGET_PERCENT, unit: ' %' },
  }),
  unit: choice('unit', 'unit', SHOWN_UNITS, 'mm'),
};

const PRODUCT = choice(
  'product',
  'product',
  [...PRODUCTS.map(({ id }) => id), BOX_ID],
  (PRODUCTS[0] as Product).id,
);

/** The fields of a product's sizes. */
function sizeFields(product: Product): Fields<Record<string, number>> {
  const entries = product.sizes.map(({ id, label, minMm, maxMm, defaultMm }) => {
    const range = { min: minMm, max: maxMm, otherwise: defaultMm, unit: ' mm' };
    return [id, number(id, label.toLowerCase(), range)] as const;
  });
  return Object.fromEntries(entries);
}

/** Clearances such as `25,50`; a missing one has its default. */
function clearancesField({ rules }: Product): Field<readonly number[]> {
  const defaults = rules.map(({ clearanceMm }) => clearanceMm);
  return {
    read(params, say) {
      const texts = params.get('clear')?.split(',') ?? [];
      return defaults.map((otherwise, index) => {
        const text = texts[index]?.trim() ?? '';
        if (text === '') return otherwise;
        return numberIn(text, 'clearance', { ...CLEARANCE_RANGE, otherwise }, say) ?? otherwise;
      });
    },
    write: (clearances) =>
      clearances.some((mm, index) => mm !== defaults[index])
        ? [`clear=${clearances.join(',')}`]
        : [],
  };
}

/**
 * Reads a view from an address such as `product=bed&p=Male~NL~18-65&length=1900&clear=100,200`.
 * What is left out has its default. Limits of a box are `limit=Stature~1500~1900`.
 */
export function readFitView(params: URLSearchParams, say: Say = UNSAID): FitView {
  const view = readFields(FIELDS, params, say);
  const product = productById(view.product);
  if (product === undefined) return { ...view, sizesMm: {}, clearancesMm: [] };
  return {
    ...view,
    sizesMm: readFields(sizeFields(product), params, say),
    clearancesMm: clearancesField(product).read(params, say),
  };
}

/** The canonical query of a view, as `readFitView` reads it, without values at their defaults. */
export function fitQuery(view: FitView): string {
  const product = productById(view.product);
  const own =
    product === undefined
      ? []
      : [
          writeFields(sizeFields(product), view.sizesMm),
          ...clearancesField(product).write(view.clearancesMm),
        ];
  const common = writeFields(FIELDS, view, product === undefined ? [] : ['limits']);
  return [common, ...own].filter((part) => part !== '').join('&');
}

function readLimit(text: string, say: Say): BoxLimit | undefined {
  const [measurement = '', ...ends] = text.split('~');
  const [minMm, maxMm] = ends.map((end) =>
    end === '' ? undefined : numberIn(end, `limit of ${measurement}`, BOX_RANGE, say),
  );
  return { measurement, minMm, maxMm };
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

/** The address of the screen. */
export const FIT_ADDRESS: ScreenAddress<FitView> = {
  path: SCREEN_PATHS.fit,
  read: readFitView,
  query: fitQuery,
  title: ({ product }) => `${productById(product)?.title ?? 'Box'}: will it fit?`,
};
