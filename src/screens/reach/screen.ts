import type { Screen } from '../shared/screen.js';
import { atRest, REACH_ADDRESS, type ReachView } from './address.js';
import type { ReachData } from './data-types.js';

/** The Reach screen shows who reaches, sees and has room in a scene. */
export const REACH: Screen<ReachView, ReachData> = {
  address: REACH_ADDRESS,
  async dataOf(view, { free, model }, left) {
    const { reachDataOf } = await import('./data.js');
    const { artifactVersion, manifest } = model();
    const stretch = manifest.population.reach;
    return reachDataOf(view, free, { artifactVersion, stretch }, left);
  },
  async drawnOf(view, { free, model }, left) {
    const { reachDrawnOf } = await import('./data.js');
    return reachDrawnOf(atRest(view), free, model().manifest.population.reach, left);
  },
  async page(view, first, context) {
    const { reachPage } = await import('./page.js');
    return reachPage(view, first, context);
  },
  async shared(view, data) {
    const { sharedReach } = await import('./share.js');
    return sharedReach(view, data);
  },
};
