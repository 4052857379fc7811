import {
  endRules,
  PRODUCT_GROUPS as GROUPS,
  productById as inCatalogue,
  type Product,
} from '../../products/index.js';
import type { Scenes } from './scenes/drawing-parts.js';
import { FURNITURE_SCENES } from './scenes/furniture.js';
import { SPACES_SCENES } from './scenes/spaces.js';
import { VEHICLES_SCENES } from './scenes/vehicles.js';
import { WORN_SCENES } from './scenes/worn.js';

/** A product with sizes and rules. */
export type FitProduct = Product & Required<Pick<Product, 'sizes' | 'rules'>>;

const isFit = (product: Product | undefined): product is FitProduct => product?.sizes !== undefined;

/** The products of the Fit screen in groups, in the order of the gallery. */
export const PRODUCT_GROUPS = GROUPS.map(({ title, products }) => ({
  title,
  products: products.filter(isFit),
}));

/** All products of the Fit screen. */
export const PRODUCTS: readonly FitProduct[] = PRODUCT_GROUPS.flatMap(({ products }) => products);

/** Id under which a visitor sets limits of dimensions. */
export const OWN_ID = 'own';

/** Older addresses have `box` for `own`. */
export const OLD_OWN_ID = 'box';

/** The product with this id, also with a former one; undefined for own limits and for an unknown id. */
export function productById(id: string): FitProduct | undefined {
  const found = inCatalogue(id);
  return isFit(found) ? found : undefined;
}

export { SAFE_PERCENT_MIN } from '../../products/index.js';
export type { BodySizes, DimensionLine, Part, Placed } from './scenes/drawing-parts.js';
export { sizesOf } from './scenes/drawing-parts.js';

/** Scenes by product. A product without a scene has only its rulers. */
export const SCENES: Scenes = {
  ...FURNITURE_SCENES,
  ...SPACES_SCENES,
  ...WORN_SCENES,
  ...VEHICLES_SCENES,
};

/** The people whom the sizes of a product serve: the smallest, the median and the largest. */
export const FIT_PERSONS = ['smallest', 'median', 'largest'] as const;
export type FitPersonName = (typeof FIT_PERSONS)[number];

/** Who decides a size: the smallest people, if it must not be larger than they need, otherwise the largest. */
export function decidesSize({ rules }: FitProduct, size: string): 'smallest' | 'largest' {
  const own = endRules(rules).filter((one) => one.size === size);
  return own.some(({ kind }) => kind === 'reach') ? 'smallest' : 'largest';
}
