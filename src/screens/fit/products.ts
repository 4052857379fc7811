import {
  PRODUCT_GROUPS as GROUPS,
  productById as inCatalogue,
  type Product,
} from '../../products/index.js';
import { lyingIn, type ViewName } from '../../render/drawing.js';
import { AVERAGE, type BodySizes, type Scenes } from './scenes/drawing-parts.js';
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

export type { BodySizes, DimensionLine, Placed, Scene } from './scenes/drawing-parts.js';

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
