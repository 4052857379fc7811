import type { Screen } from '../shared/screen.js';
import { WORLD_ADDRESS, type WorldView } from './address.js';
import type { WorldData } from './data-types.js';

/** The World screen shows one length in all countries. */
export const WORLD: Screen<WorldView, WorldData> = {
  address: WORLD_ADDRESS,
  async dataOf(view, { free, model }, left) {
    const { worldDataOf } = await import('./data.js');
    return worldDataOf(view, free, model().artifactVersion, left);
  },
  async page(view, first, context) {
    const { worldPage } = await import('./page.js');
    return worldPage(view, first, context);
  },
  async shared(view, data) {
    const { sharedWorld } = await import('./share.js');
    return sharedWorld(view, data);
  },
};
