import type { RegionId } from '../core/body-regions.js';

/** Completed years of age under which people are measured lying on their back (`Stature` in the catalog). */
export const LYING_UNTIL_YEARS = 2;
/** A point in a view: mm to the right and mm up from its origin. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle in a view, mm. */
export type Box = readonly [left: number, right: number, bottom: number, top: number];

/** A region of a body in a view, as an SVG path with y downwards. */
export interface RegionPath {
  readonly region: RegionId;
  readonly d: string;
}

/** SVG path of straight lines through the points. */
export function straightLine(...line: readonly Point[]): string {
  return `M${line.map(pair).join('L')}`;
}

/** A point in SVG coordinates: y points downwards, rounded to a tenth of a mm. */
export function pair({ x, y }: Point): string {
  return `${tenth(x)} ${tenth(-y)}`;
}

/** Rounds to a tenth. Zero has no sign. */
export function tenth(mm: number): number {
  return Math.round(mm * 10) / 10 + 0;
}
