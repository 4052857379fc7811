import { FURNITURE } from './products/furniture.js';
import type { Product } from './products/rules.js';
import { SPACES } from './products/spaces.js';
import { VEHICLES } from './products/vehicles.js';
import { WORN } from './products/worn.js';

export {
  type Coupling,
  IN_ORDER,
  type Product,
  type ProductRule,
  type ProductSize,
} from './products/rules.js';

/** The products of the Fit screen in groups, in the order of the gallery. */
export const PRODUCT_GROUPS: readonly {
  readonly title: string;
  readonly products: readonly Product[];
}[] = [
  { title: 'Furniture', products: FURNITURE },
  { title: 'Rooms and openings', products: SPACES },
  { title: 'Worn', products: WORN },
  { title: 'Vehicles', products: VEHICLES },
];

/** All products of the Fit screen. */
export const PRODUCTS: readonly Product[] = PRODUCT_GROUPS.flatMap(({ products }) => products);

/** Id under which a visitor sets limits of dimensions. */
export const OWN_ID = 'own';

/** Older addresses have `box` for `own`. */
export const OLD_OWN_ID = 'box';

/** The product with this id; undefined for own limits and for an unknown id. */
export function productById(id: string): Product | undefined {
  return PRODUCTS.find((product) => product.id === id);
}
