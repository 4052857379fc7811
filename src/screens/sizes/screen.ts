import type { Screen } from '../shared/screen.js';
import { SIZES_ADDRESS, type SizesView } from './address.js';
import type { SizesData } from './data-types.js';

/** The Sizes screen shows how many sizes of a product serve a share of the people, and which sizes. */
export const SIZES: Screen<SizesView, SizesData> = {
  address: SIZES_ADDRESS,
  dataOf: async (view, { free, model }, left) =>
    (await import('./data.js')).sizesDataOf(view, free, model().artifactVersion, left),
  page: async (...parts) => (await import('./page.js')).sizesPage(...parts),
  shared: async (view, data) => (await import('./page.js')).sharedSizes(view, data),
};
