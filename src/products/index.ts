import furniture from './furniture.json' with { type: 'json' };
import rooms from './rooms.json' with { type: 'json' };
import { sceneById } from './scenes.js';
import type { Coupling, Product, ProductRule, ProductSize } from './schema.js';
import vehicles from './vehicles.json' with { type: 'json' };
import worn from './worn.json' with { type: 'json' };

export type { Coupling, Product, ProductRule, ProductSize };

/** The catalogue in groups, in the order in which pages show it. */
export const PRODUCT_GROUPS: readonly {
  readonly title: string;
  readonly products: readonly Product[];
}[] = [
  { title: 'Furniture', products: withScenes(furniture as readonly Product[]) },
  { title: 'Rooms and openings', products: withScenes(rooms as readonly Product[]) },
  { title: 'Worn', products: withScenes(worn as readonly Product[]) },
  { title: 'Vehicles', products: withScenes(vehicles as readonly Product[]) },
];

function withScenes(products: readonly Product[]): readonly Product[] {
  return products.map((one) => {
    const { product: _, ...scene } = sceneById(one.id) ?? {};
    return 'title' in scene ? { ...one, scene } : one;
  });
}

/** All products. Each thing occurs once. */
export const PRODUCTS: readonly Product[] = PRODUCT_GROUPS.flatMap(({ products }) => products);

const BY_ID: ReadonlyMap<string, Product> = new Map(
  PRODUCTS.flatMap((one) =>
    [one.id, ...(one.formerIds ?? []), ...(one.scene?.formerIds ?? [])].map(
      (id) => [id, one] as const,
    ),
  ),
);

/** The product with this id, also with a former one; undefined for an unknown id. */
export function productById(id: string): Product | undefined {
  return BY_ID.get(id);
}

/** Share of the people to design for in percent, where a product has none. */
export const USUAL_PERCENT = 90;
/** Least share of a product of safety, in percent: a smaller one would leave more than one person in 20 in danger. */
export const SAFE_PERCENT_MIN = 95;
/** People of a product that names none. */
export const ADULTS = { ageMin: 18, ageMax: 65 } as const;

/** Reason of a coupling between the two ends of one range. */
export const IN_ORDER = 'they are the ends of one range';

/** A rule for one end of a size. `between` has two of them. */
export interface EndRule
  extends Pick<ProductRule, 'id' | 'size' | 'measurement' | 'words' | 'basis'> {
  /** `room` is the least value that a person needs, which excludes large people; `reach` the largest one. */
  readonly kind: 'room' | 'reach';
  readonly factor: number;
  readonly clearanceMm: number;
  readonly need: string;
}

/** The rules of a product for each end of its sizes, in their order. */
export function endRules(rules: readonly ProductRule[] = []): readonly EndRule[] {
  return rules.flatMap(({ kind, factor = 1, clearance: clearanceMm, upper, needMore, ...rest }) => {
    const common = { ...rest, clearanceMm };
    if (kind !== 'between') return [{ ...common, kind, factor }];
    return [
      { ...common, kind: 'reach' as const, factor },
      {
        ...common,
        kind: 'room' as const,
        size: upper ?? rest.size,
        factor: 1,
        need: needMore ?? rest.need,
      },
    ];
  });
}

/**
 * Products that a text names, by their names and titles.
 *
 * @param isWhole whether a product must have all words of the text
 */
export function findProducts(text: string, isWhole = false): readonly Product[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length === 0) return [];
  const scored = PRODUCTS.map((product) => {
    const { id, title, names = [], formerIds = [], chart, scene } = product;
    const old = [...formerIds, ...(scene?.formerIds ?? [])];
    const all = [id, title, ...names, ...old, chart?.title ?? '', scene?.title ?? ''];
    const known = new Set(
      all
        .join(' ')
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu),
    );
    const isIn = (word: string) => known.has(word) || known.has(word.replace(/s$/, ''));
    const found = words.filter(isIn).length;
    const exact = all.some((name) => name.toLowerCase() === text.trim().toLowerCase()) ? 1 : 0;
    return { product, score: found + exact };
  });
  const most = Math.max(...scored.map(({ score }) => score));
  return most < (isWhole ? words.length : 1)
    ? []
    : scored.filter(({ score }) => score === most).map(({ product }) => product);
}
