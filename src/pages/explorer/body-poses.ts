import type { DrawnPeople } from '../../figure/people-layout.js';
import { type DimensionsMm, POSE_MEASUREMENTS } from '../../figure/pose-dimensions.js';
import type { BodyPopulation } from './body-data-types.js';

/** The populations that can be drawn, each in the colour of its chip. */
export function drawnPeople(populations: readonly BodyPopulation[]): readonly DrawnPeople[] {
  return populations.flatMap(({ label, posesMm }, index) => {
    const [p5, p50, p95] = posesMm?.map(dimensionsOf) ?? [];
    if (p5 === undefined || p50 === undefined || p95 === undefined) return [];
    return [{ label, series: index + 1, dimensionsMm: [p5, p50, p95] as const }];
  });
}

/** Dimensions by name, from values in mm in the order of `POSE_MEASUREMENTS`. */
export function dimensionsOf(valuesMm: readonly number[]): DimensionsMm {
  return Object.fromEntries(POSE_MEASUREMENTS.map((name, index) => [name, valuesMm[index]]));
}
