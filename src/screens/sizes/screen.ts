import type { Screen } from '../shared/screen.js';
import { SIZES_ADDRESS, type SizesView } from './address.js';
import type { SizesData } from './data-types.js';

/** The Sizes screen shows how many sizes of a product serve a share of the people, and which sizes. */
export const SIZES: Screen<SizesView, SizesData> = {
  address: SIZES_ADDRESS,
  async dataOf(view, { free, model }, left) {
    const { sizesDataOf } = await import('./data.js');
    return sizesDataOf(view, free, model().artifactVersion, left);
  },
  async page(view, first, context) {
    const { sizesPage } = await import('./page.js');
    return sizesPage(view, first, context);
  },
  async shared(view, data) {
    const { sharedSizes } = await import('./share.js');
    return sharedSizes(view, data);
  },
};
