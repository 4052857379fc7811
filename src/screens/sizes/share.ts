import { percent } from '../../site/labels.js';
import type { ShareContent } from '../../site/share-card.js';
import { type SizesView, sizesTitle } from './address.js';
import type { SizesData } from './data-types.js';

/** The share image of the Sizes screen: the share that the sizes serve, and people of three sizes. */
export function sharedSizes(view: SizesView, data: SizesData): ShareContent {
  const { chart, persons = [] } = data;
  return {
    title: sizesTitle(view),
    artifactVersion: data.artifactVersion,
    people: persons.flatMap(({ pictures }) => pictures.slice(0, 1)),
    headline: percent(chart.shareServed),
    facts: [
      `are served by ${chart.sizes.length} sizes`,
      ...chart.sizes.map(({ name, share }) => `${name}: ${percent(share)}`),
    ],
  };
}
