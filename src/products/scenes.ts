import scenes from './scenes.json' with { type: 'json' };
import type { Scene } from './schema.js';

// Apart from the rest of the catalogue, because the page of Reach loads the scenes alone.

/** A scene of the catalogue with the id of its product. */
export interface ProductScene extends Scene {
  readonly product: string;
}

/** The scenes in the order in which pages show them. */
export const SCENES = scenes as readonly ProductScene[];

/** The scene of the product with this id, also with a former one; undefined for an unknown id. */
export function sceneById(id: string): ProductScene | undefined {
  return SCENES.find(({ product, formerIds = [] }) => product === id || formerIds.includes(id));
}
