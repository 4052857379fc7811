import { TARGET_SHARE_LIMITS, TOLERANCE_LIMITS } from '../../core/limits.js';
import { piecesOf } from '../../core/safe-rounding.js';
import { SHOWN_UNITS } from '../../site/lengths.js';
import { SCREEN_PATHS } from '../../site/paths.js';
import {
  choice,
  type Field,
  list,
  number,
  numberIn,
  parameter,
  type Say,
  type ScreenAddress,
  screenAddress,
  unlessDefault,
  type ViewOf,
} from '../shared/address-fields.js';
import { isDimension } from '../shared/dimension-fields.js';
import {
  CHOSEN_MAX,
  type ChosenPopulation,
  POPULATIONS,
  populationsLabel,
} from '../shared/populations.js';
import { haveCommonPeople } from '../shared/together.js';
import {
  dimensionsOfProduct,
  OWN_DIMENSIONS,
  OWN_ID,
  productTitle,
  SIZED_PRODUCTS,
  type SizedDimension,
  sizedProductById,
} from './products.js';

/** Range of the number of sizes, as in `size_chart`. */
export const SIZES_RANGE = { min: 1, max: 30 } as const;
/** Number of people of an order. */
export const ORDER_RANGE = { min: 1, max: 10_000_000 } as const;
/** Maximum number of dimensions of a product. */
export const SIZED_DIMENSIONS_MAX = 4;
/** Shares to serve, in percent. */
export const TARGET_RANGE = {
  min: TARGET_SHARE_LIMITS.minimum * 100,
  max: TARGET_SHARE_LIMITS.maximum * 100,
} as const;
const TOLERANCE_RANGE = {
  ...{ min: TOLERANCE_LIMITS.minimum, max: 1000, otherwise: 20, unit: ' mm' },
} as const;

/** Default populations of an address. Products are sized for women and men together. */
const DEFAULT: readonly ChosenPopulation[] = [{ countries: ['US'], ageMin: 18, ageMax: 65 }];

const POPULATIONS_OR_BOTH: Field<readonly ChosenPopulation[]> = unlessDefault({
  read: (params, say) => (params.has('p') ? POPULATIONS.read(params, say) : DEFAULT),
  write: POPULATIONS.write,
});

const COUNT_RANGE = { ...ORDER_RANGE, otherwise: 1 } as const;

const COUNTS: Field<readonly number[]> = {
  read(params, say) {
    const texts = params.get('counts')?.split(',').slice(0, CHOSEN_MAX) ?? [];
    return texts.map((text) =>
      Math.round(numberIn(text, 'number of people of a population', COUNT_RANGE, say) ?? 1),
    );
  },
  write: (counts) => (counts.length === 0 ? [] : [parameter('counts', counts.join())]),
};

const FIELDS = {
  /** Id of a product, or `OWN_ID`. */
  product: choice(
    'product',
    'product',
    [...SIZED_PRODUCTS.map(({ id }) => id), OWN_ID],
    'helmet',
    (text) => sizedProductById(text)?.id,
  ),
  populations: POPULATIONS_OR_BOTH,
  /** Own dimensions and tolerances. If empty, the product's dimensions are used. */
  dimensions: list<SizedDimension>('d', 'measurements of a product', SIZED_DIMENSIONS_MAX, [], {
    read: readDimension,
    write: ({ measurement, toleranceMm }) => `${measurement}~${toleranceMm}`,
  }),
  /** Share of the people to serve, in percent. */
  targetPercent: number('target', 'share to serve', {
    ...{ ...TARGET_RANGE, otherwise: 90, unit: ' %' },
  }),
  /** Number of sizes. If undefined, the smallest number that serves the share. */
  sizes: number('sizes', 'number of sizes', { ...SIZES_RANGE, isWhole: true }),
  /** Number of people for whom an order is divided among the sizes. */
  order: number('order', 'number of people of an order', { ...ORDER_RANGE, otherwise: 1000 }),
  /** Number of people of each population in the order. If empty, equal parts of the order. */
  counts: COUNTS,
  unit: choice('unit', 'unit', SHOWN_UNITS, 'mm'),
};

/** The view of the Sizes screen. */
export type SizesView = ViewOf<typeof FIELDS>;

function readDimension(text: string, say: Say): SizedDimension | undefined {
  const [measurement = '', width = ''] = text.split('~');
  if (!isDimension(measurement, say)) return undefined;
  const toleranceMm = numberIn(width, 'width that one size serves', TOLERANCE_RANGE, say);
  return { measurement, toleranceMm: toleranceMm ?? TOLERANCE_RANGE.otherwise };
}

/**
 * Number of people of each population in the order; undefined for one population, and if people belong to two, because
 * they count once.
 */
export function countsOf(view: SizesView): readonly number[] | undefined {
  const { populations, counts, order } = view;
  if (populations.length === 1 || haveCommonPeople(populations)) return undefined;
  if (counts.length === populations.length) return counts;
  const each = piecesOf(
    populations.map(() => 1 / populations.length),
    order,
  );
  return each.map((count) => Math.max(1, count));
}

/** The dimensions that distinguish the sizes of the view. Each occurs once. */
export function dimensionsOf({ product, dimensions }: SizesView): readonly SizedDimension[] {
  const all = dimensions.length > 0 ? dimensions : (dimensionsOfProduct(product) ?? OWN_DIMENSIONS);
  return all.filter(
    ({ measurement }, index) => all.findIndex((one) => one.measurement === measurement) === index,
  );
}

/**
 * The address of the screen, such as `product=helmet&p=Female~US,IN~20-50&target=90`. Own dimensions are `d=HeadGirth~20`.
 * Titles are such as `Helmet: sizes for Women, US, IN, 20–50`.
 */
export const SIZES_ADDRESS: ScreenAddress<SizesView> = screenAddress({
  path: SCREEN_PATHS.sizes,
  fields: FIELDS,
  drawn: ['unit', 'order'],
  title: ({ product, populations }) =>
    `${productTitle(product)}: sizes for ${populationsLabel(populations)}`,
});
