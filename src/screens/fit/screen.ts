import type { Screen } from '../shared/screen.js';
import { FIT_ADDRESS, type FitView } from './address.js';
import type { FitData } from './data-types.js';

/** The Fit screen shows the share of people that a product fits. */
export const FIT: Screen<FitView, FitData> = {
  address: FIT_ADDRESS,
  async dataOf(view, { free, model }, left) {
    const { fitDataOf } = await import('./data.js');
    return fitDataOf(view, free, model().artifactVersion, left);
  },
  async page(view, first, context) {
    const { fitPage } = await import('./page.js');
    return fitPage(view, first, context);
  },
  async shared(view, data) {
    const { sharedFit } = await import('./share.js');
    return sharedFit(view, data);
  },
};
