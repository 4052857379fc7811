import { PRODUCTS } from '../products/index.js';
import { GUIDES_INDEX_PATH, SCREEN_PATHS } from '../site/paths.js';
import { GUIDES, GUIDES_PATH } from './docs/guides.js';

const { body, fit, reach, sizes } = SCREEN_PATHS;

/** The pages that most visitors see first. */
export const COMMON_VIEWS = [
  ...['/', ...Object.values(SCREEN_PATHS)],
  ...Object.keys(GUIDES).map((name) => GUIDES_PATH + name),
  GUIDES_INDEX_PATH,
  `${body}?posture=sitting`,
];

/** The pages that are made before somebody asks for them: the common ones, then the views of each product. */
export const FIRST_VIEWS: readonly string[] = [
  ...COMMON_VIEWS,
  ...PRODUCTS.flatMap((product) => [
    ...(product.sizes === undefined ? [] : [`${fit}?product=${product.id}`]),
    ...(product.scene === undefined ? [] : [`${reach}?template=${product.id}`]),
    ...(product.chart === undefined ? [] : [`${sizes}?product=${product.id}`]),
  ]),
];
