import { lyingIn, type ViewName } from '../../render/drawing.js';
import { FURNITURE, FURNITURE_SCENES } from './products/furniture.js';
import { AVERAGE, type BodySizes, type Product, type Scenes } from './products/rules.js';
import { SPACES, SPACES_SCENES } from './products/spaces.js';
import { VEHICLES, VEHICLES_SCENES } from './products/vehicles.js';
import { WORN, WORN_SCENES } from './products/worn.js';

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

export type { BodySizes, DimensionLine, Placed, Scene } from './products/rules.js';

/** Scenes by product. A product without a scene has only its rulers. */
export const SCENES: Scenes = {
  ...FURNITURE_SCENES,
  ...SPACES_SCENES,
  ...WORN_SCENES,
  ...VEHICLES_SCENES,
};

/** The sizes for a scene without a person. */
export const AVERAGE_SIZES: BodySizes = { scale: 1, ...AVERAGE };

/** The sizes of a person with these predicted dimensions, mm. */
export function sizesOf(valuesMm: Readonly<Record<string, number>>): BodySizes {
  const { Stature: statureMm = AVERAGE.statureMm, PoplitealHeight, AbdominalDepth } = valuesMm;
  const scale = statureMm / AVERAGE.statureMm;
  const backMm = AVERAGE.backMm * scale;
  return {
    scale,
    statureMm,
    backMm,
    seatMm: PoplitealHeight ?? AVERAGE.seatMm * scale,
    abdomenMm: backMm + (AbdominalDepth ?? (AVERAGE.abdomenMm - AVERAGE.backMm) * scale),
  };
}

/**
 * The views of a body in the picture of a product; empty for own limits. People who are drawn lying have none where
 * others stand or sit.
 */
export function viewsOfProduct(product: string, ageYears: number): readonly ViewName[] {
  const bodies = SCENES[product]?.(() => 0, AVERAGE_SIZES).bodies ?? [];
  const shown = bodies.filter(({ view, isLying }) => isLying || !lyingIn(view, ageYears));
  return [...new Set(shown.map(({ view }) => view))];
}
