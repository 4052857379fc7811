import { ticks } from 'd3-array';
import { line } from 'd3-shape';

// Ticks and paths come from d3. The linear scale is one line of code; d3-scale would add 12 kB to a page.

/** A linear scale from data to pixels. */
export interface Scale {
  readonly from: number;
  readonly to: number;
  /** Pixel of a value. */
  at(value: number): number;
  /** Value at a pixel, limited to the scale. */
  inverse(pixel: number): number;
  /** About `count` round values on the scale. There are at least two, because one value shows no scale. */
  ticks(count: number): number[];
}

/** A scale that maps `[from, to]` to the pixels from `start` to `end`. */
export function linearScale(from: number, to: number, start: number, end: number): Scale {
  const perUnit = (end - start) / (to - from);
  return {
    from,
    to,
    at: (value) => start + (value - from) * perUnit,
    inverse: (pixel) => Math.min(to, Math.max(from, from + (pixel - start) / perUnit)),
    ticks(count): number[] {
      const values = ticks(from, to, count);
      return values.length < 2 ? this.ticks(count + 1) : values;
    },
  };
}

/** An SVG path through points. */
export function pathOf(points: readonly (readonly [x: number, y: number])[]): string {
  return PATH(points) ?? '';
}

const PATH = line<readonly [x: number, y: number]>(
  ([x]) => x,
  ([, y]) => y,
).digits(1);
