import { PRODUCTS, type Product, productById } from '../../products/index.js';

/** A dimension that distinguishes the sizes of a product. */
export interface SizedDimension {
  readonly measurement: string;
  /** Width of the range that one size serves, mm. */
  readonly toleranceMm: number;
}

/** A product with a chart of sizes. */
type SizedProduct = Product & Required<Pick<Product, 'chart'>>;

const isSized = (product: Product | undefined): product is SizedProduct =>
  product?.chart !== undefined;

/** Products of the Sizes screen, in the order of its list. People are measured nude. */
export const SIZED_PRODUCTS: readonly SizedProduct[] = PRODUCTS.filter(isSized);

/** Id of a product whose dimensions the visitor chooses. */
export const OWN_ID = 'own';
/** The first dimensions of a product of the visitor's own. */
export const OWN_DIMENSIONS: readonly SizedDimension[] = [
  { measurement: 'Stature', toleranceMm: 100 },
  { measurement: 'WaistCircumferenceAbdominal', toleranceMm: 100 },
];

/** The product with this id, also with a former one; undefined for a product of the visitor's own. */
export function sizedProductById(id: string): SizedProduct | undefined {
  const found = productById(id);
  return isSized(found) ? found : undefined;
}

/** What one size of a product serves; undefined for a product of the visitor's own. */
export function dimensionsOfProduct(id: string): readonly SizedDimension[] | undefined {
  return sizedProductById(id)?.chart.measurements.map(({ measurement, tolerance }) => {
    return { measurement, toleranceMm: tolerance };
  });
}

/** Name of what has the sizes, in a headline. */
export function productTitle(id: string): string {
  const { title = 'Own product', chart } = sizedProductById(id) ?? {};
  return chart?.title ?? title;
}
