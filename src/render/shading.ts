import { unit } from '../body/vectors.js';
import { pathOf } from './curves.js';
import type { DepthMap } from './depth-map.js';
import { outlinesOf, smoothed } from './outline.js';
import type { Surface } from './surface.js';

/**
 * Direction of the light, from the left and from the viewer: to the right, up, and near. Little light comes from above.
 * Otherwise flat bellies and thighs, which lean a little forwards, would look like spots.
 */
const LIGHT = unit([-0.65, 0.32, 0.72]);
/** Each threshold adds a tone of shade to surfaces that receive a smaller share of the light. */
const TONES_BELOW = [0.62, 0.36] as const;
/** Width of a cell of the light in pixels of the view, and the standard deviation of its smoothing in mm. */
const CELL_PX = 3;
const BLUR_MM = 12;
const LEAST_MM2 = 1500;
const SMOOTH_MM = 16;
const TOLERANCE_MM = 5;

/**
 * The areas of a body that the light meets at a low angle, as SVG paths with y downwards. The largest comes first, and
 * each lies inside the area before it. They make the form of chest, belly and knees visible.
 */
export function shadePaths(map: DepthMap, surface: Surface): readonly string[] {
  const cells = lightOf(map, surface);
  const { width, height, light, pixelMm } = cells;
  const dark = new Uint8Array(width * height);
  return TONES_BELOW.map((share) => {
    for (let i = 0; i < dark.length; i++) dark[i] = light[i] < share ? 1 : 0;
    return outlinesOf({ ...cells, pixelMm }, dark, LEAST_MM2)
      .map((line) => pathOf(smoothed(line, SMOOTH_MM / pixelMm, true), true, TOLERANCE_MM, 1))
      .join('');
  });
}

interface LightMap extends Pick<DepthMap, 'width' | 'height' | 'pixelMm' | 'left' | 'bottom'> {
  /** Share of the light in each cell, smoothed over the body; 1 beside the body. */
  readonly light: Float32Array;
}

function lightOf(map: DepthMap, { triangles, normals, axes }: Surface): LightMap {
  const width = Math.ceil(map.width / CELL_PX);
  const height = Math.ceil(map.height / CELL_PX);
  const pixelMm = map.pixelMm * CELL_PX;
  const toLight = [0, 1, 2].map((k) => axes.reduce((sum, axis, i) => sum + LIGHT[i] * axis[k], 0));
  const lit = new Float32Array(width * height);
  const here = new Float32Array(width * height);
  const byTriangle = new Map<number, number>();
  const lightOn = (triangle: number): number => {
    const known = byTriangle.get(triangle);
    if (known !== undefined) return known;
    let total = 0;
    for (let corner = 3 * triangle; corner < 3 * triangle + 3; corner++) {
      const at = 3 * triangles[corner];
      for (let k = 0; k < 3; k++) total += toLight[k] * normals[at + k];
    }
    const share = Math.max(0, total / 3);
    byTriangle.set(triangle, share);
    return share;
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const triangle = map.triangle[y * CELL_PX * map.width + x * CELL_PX] ?? -1;
      if (triangle < 0) continue;
      lit[y * width + x] = lightOn(triangle);
      here[y * width + x] = 1;
    }
  }
  const sigma = BLUR_MM / pixelMm;
  const [light, weight] = [lit, here].map((values) => blurred(values, width, height, sigma)) as [
    Float32Array,
    Float32Array,
  ];
  for (let i = 0; i < light.length; i++) {
    light[i] = here[i] === 1 ? light[i] / weight[i] : 1;
  }
  return { width, height, pixelMm, left: map.left, bottom: map.bottom, light };
}

/** A Gaussian mean along rows and then along columns. */
function blurred(values: Float32Array, width: number, height: number, sigma: number): Float32Array {
  const reach = Math.ceil(2.5 * sigma);
  const weights = Float64Array.from({ length: reach + 1 }, (_, k) =>
    Math.exp(-0.5 * (k / sigma) ** 2),
  );
  let from = values;
  // The cells of a line are `step` apart. The starts of neighbouring lines are `between` apart.
  for (const [step, count, between, lines] of [
    [1, width, width, height],
    [width, height, 1, width],
  ] as const) {
    const to = new Float32Array(values.length);
    for (let line = 0; line < lines; line++) {
      const first = line * between;
      const last = first + (count - 1) * step;
      for (let at = first; at <= last; at += step) {
        let sum = weights[0] * from[at];
        for (let k = 1; k <= reach; k++) {
          const weight = weights[k];
          const before = at - k * step;
          const after = at + k * step;
          if (before >= first) sum += weight * from[before];
          if (after <= last) sum += weight * from[after];
        }
        to[at] = sum;
      }
    }
    from = to;
  }
  return from;
}
