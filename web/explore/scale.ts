/** A linear scale from data to pixels. */
export interface Scale {
  readonly from: number;
  readonly to: number;
  /** Pixel of a value. */
  at(value: number): number;
  /** Value at a pixel, limited to the scale. */
  inverse(pixel: number): number;
  /** About `count` round values on the scale, and at least two: one value shows no scale. */
  ticks(count: number): number[];
}

/** A scale over `[from, to]` that covers pixels `start` to `end`. */
export function linearScale(from: number, to: number, start: number, end: number): Scale {
  const perUnit = (end - start) / (to - from);
  return {
    from,
    to,
    at: (value) => start + (value - from) * perUnit,
    inverse: (pixel) => Math.min(to, Math.max(from, from + (pixel - start) / perUnit)),
    ticks(count): number[] {
      const step = roundStep((to - from) / count);
      const first = Math.ceil(from / step);
      const length = Math.floor(to / step) - first + 1;
      if (length < 2) return this.ticks(count + 1);
      return Array.from({ length }, (_, i) => Number(((first + i) * step).toPrecision(12)));
    },
  };
}

/** The smallest of 1, 2, 2.5, 5 times a power of ten that is at least `least`. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 2.5, 5, 10].map((step) => step * power).find((step) => step >= least) ?? power * 10;
}

/** An SVG path through points. */
export function pathOf(points: readonly (readonly [x: number, y: number])[]): string {
  return points
    .map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join('');
}
