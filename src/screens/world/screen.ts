import type { Screen } from '../shared/screen.js';
import { WORLD_ADDRESS, type WorldView } from './address.js';
import type { WorldData } from './data-types.js';

/** The World screen shows one length in all countries. */
export const WORLD: Screen<WorldView, WorldData> = {
  address: WORLD_ADDRESS,
  dataOf: async (view, { free, model }, left) =>
    (await import('./data.js')).worldDataOf(view, free, model().artifactVersion, left),
  page: async (...parts) => (await import('./page.js')).worldPage(...parts),
  shared: async (view, data) => (await import('./page.js')).sharedWorld(view, data),
};
