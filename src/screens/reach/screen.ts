import type { Screen, ScreenNeeds } from '../shared/screen.js';
import { REACH_ADDRESS, type ReachView } from './address.js';
import type { ReachData } from './data-types.js';

const partsOf = ({ artifactVersion, manifest }: ReturnType<ScreenNeeds['model']>) => ({
  artifactVersion,
  stretch: manifest.population.reach,
});

/** The Reach screen shows who reaches, sees and has room in a scene. */
export const REACH: Screen<ReachView, ReachData> = {
  address: REACH_ADDRESS,
  async dataOf(view, { free, model }, left) {
    const { reachDataOf } = await import('./data.js');
    return reachDataOf(view, free, partsOf(model()), left);
  },
  async drawnOf(view, { free, model }, left) {
    const { reachDrawnOf } = await import('./data.js');
    return reachDrawnOf(view, free, partsOf(model()), left);
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
