import type { DrawnPeople } from '../../site/pictures/people-layout.js';
import type { BodyPopulation } from './data-types.js';

/** The populations that can be drawn. Each has the colour of its chip. */
export function drawnPeople(populations: readonly BodyPopulation[]): readonly DrawnPeople[] {
  return populations.flatMap(({ label, bandsMm, persons }, index) => {
    if (bandsMm === undefined) return [];
    const [small, median, large] = persons ?? [];
    const figures =
      small === undefined || median === undefined || large === undefined
        ? undefined
        : ([small, median, large] as const);
    return [{ label, series: index + 1, bandsMm, figures }];
  });
}
