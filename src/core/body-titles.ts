import type { BodyView } from './body-view.js';
import { populationLabel } from './chosen-populations.js';

const FROM = { front: 'from the front', side: 'from the side' } as const;

/** What the picture shows, such as `Women DE 18–65, Men DE 18–65: standing, from the front`. */
export function pictureTitle({ populations, posture, side }: BodyView): string {
  return `${populations.map(populationLabel).join('; ')}: ${posture}, ${FROM[side]}`;
}

/** How to read the figures, which every picture needs. */
export function pictureCaption({ overlaid, posture }: BodyView): string {
  return [
    overlaid ? 'P50 is filled and P95 is outlined.' : 'P5 is pale, P50 is filled, P95 is outlined.',
    'Bands beside the figures, where there is room, reach from P5 to P95.',
    'One figure with P95 everywhere is not a person: nobody is at the same percentile in every dimension.',
    posture === 'sitting' ? 'Heights over the seat start at the median seat.' : '',
    'The grid has lines every 100 mm.',
  ]
    .filter((text) => text !== '')
    .join(' ');
}
