import { editDistance } from '../core/edit-distance.js';
import { said } from '../core/errors.js';
import {
  findProducts,
  PRODUCTS,
  type Product,
  productById,
  SAFE_PERCENT_MIN,
} from '../products/index.js';
import type { FoundFault } from './faults.js';

/** Path of the catalogue of products. */
export const PRODUCTS_PATH = '/v1/products';
/** Where all products are listed. */
const IN_LIST = said`GET ${PRODUCTS_PATH} lists all ${PRODUCTS.length}.`;
/** Nearest names in a refusal. */
const NEAREST_MAX = 3;

/** The fault of an id that no product has, with the nearest names. */
export function productFaults(id: string, pointer = '/product'): FoundFault[] {
  if (productById(id) !== undefined) return [];
  const sentence = () =>
    said`${JSON.stringify(id)} is no product. Did you mean ${nearest(id).join(', ')}? ${IN_LIST}`;
  return [{ pointer, sentence }];
}

/** Why a share is not answered; undefined if it is. */
export function shareFault(product: Product, percent: number): string | undefined {
  if (product.safety !== true || percent >= SAFE_PERCENT_MIN) return undefined;
  return `The share must be at least ${SAFE_PERCENT_MIN} % for ${product.title.toLowerCase()}, a product of safety: ${percent} % would leave one person in ${Math.round(100 / (100 - percent))} in danger. Usually it is ${product.targetPercent} %.`;
}

function nearest(id: string): readonly string[] {
  const named = findProducts(id.replaceAll(/[_-]/g, ' ')).map((one) => one.id);
  const wanted = id.toLowerCase();
  const byEdits = PRODUCTS.map((one) => ({ id: one.id, away: editDistance(wanted, one.id, 30) }))
    .sort((one, other) => one.away - other.away)
    .map((one) => one.id);
  return [...new Set([...named, ...byEdits])].slice(0, NEAREST_MAX);
}
