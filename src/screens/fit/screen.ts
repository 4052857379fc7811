import type { Screen } from '../shared/screen.js';
import { FIT_ADDRESS, type FitView } from './address.js';
import type { FitData } from './data-types.js';

/** The Fit screen shows the share of people that a product fits. */
export const FIT: Screen<FitView, FitData> = {
  address: FIT_ADDRESS,
  isOwn: ({ known }) => known.length > 0,
  dataOf: async (view, { free, model }, left) =>
    (await import('./data.js')).fitDataOf(view, free, model().artifactVersion, left),
  page: async (...parts) => (await import('./page.js')).fitPage(...parts),
  shared: async (view, data) => (await import('./page.js')).sharedFit(view, data),
};
