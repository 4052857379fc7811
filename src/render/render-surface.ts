import { Problem } from '../core/errors.js';
import { type Camera, type Projected, project } from './camera.js';
import { type DepthMap, depthMapOf } from './depth-map.js';
import type { Box } from './drawing.js';
import type { Features } from './features.js';
import type { Finer } from './finer.js';

/** A colour: red, green and blue from 0 to 255, as in CSS (sRGB). */
export type Colour = readonly [red: number, green: number, blue: number];

/** A surface to render. */
export interface RenderedSurface {
  /** x, y, z of the vertices, mm, and the triangles between them. */
  readonly points: Float64Array;
  readonly finer: Finer;
  /** Number of the colour of each coarse triangle, an index of `colours`. */
  readonly materialOf: Uint8Array;
  readonly colours: readonly Colour[];
  /** Unit normals of the vertices, x, y, z. */
  readonly normals: Float32Array;
  /** Share of the sky that each vertex sees, from 0 to 255. */
  readonly openness: Uint8Array;
  /** x, y, z of the fine surface's vertices on the base mesh, and what is painted there. */
  readonly base: Float32Array;
  readonly features: Features;
}

/** Pixels without a background: red, green, blue and opacity of each, from the top left. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

/** Samples of a pixel in each direction. */
const SAMPLES = 2;
/** Maximum number of pixels of a picture, which limits its memory. */
export const PIXELS_MAX = 6_000_000;
const MAP_PIXELS_MAX = SAMPLES ** 2 * PIXELS_MAX;

/**
 * A depth map of bounded size.
 *
 * @throws Problem `validation_error` for a part without a size, or with too many pixels; nothing is allocated then
 */
export function boundedMapOf(
  ...[view, triangles, part, pixelMm]: Parameters<typeof depthMapOf>
): DepthMap {
  const [left, right, bottom, top] = part;
  const columns = (right - left) / pixelMm;
  const rows = (top - bottom) / pixelMm;
  if (columns >= 0 && rows >= 0 && columns * rows <= MAP_PIXELS_MAX) {
    return depthMapOf(view, triangles, part, pixelMm);
  }
  const message = `The picture has no size, or more than ${PIXELS_MAX / 1e6} megapixels. Choose a smaller part or height.`;
  throw new Problem('validation_error', message);
}

/**
 * Directions to the lights in the view: right, up, near. The key light comes from the upper left, in front of the
 * body. The rim light marks the edge on the other side.
 */
const KEY = unit(-0.55, 0.75, 0.65);
const RIM = unit(0.9, 0.15, 0.25);
/** Openness of a place that sees no sky: skin and suit throw light into it. */
const DARKEST = 0.45;
/** Share of the key light that reaches around the edge of the lit half. */
const WRAP = 0.25;
/**
 * Strengths of the lights. `sky` is the light from all sides, and `fromAbove` is how much more of it comes from above.
 * `edge` brightens surfaces that are seen at a flat angle.
 */
const LIGHT = { sky: 0.44, fromAbove: 0.16, key: 0.64, rim: 0.12, edge: 0.09 } as const;

/**
 * Renders a surface without perspective, to scale. The openness of the vertices darkens the sky light in folds and
 * under arms and chins (ambient occlusion, Zhukov et al. 1998, Rendering Techniques '98, p. 45).
 *
 * @param part the part of the view, mm; its size is a whole number of pixels
 */
export function renderSurface(
  camera: Camera,
  surface: RenderedSurface,
  part: Box,
  pixelMm: number,
): Pixels {
  const { finer } = surface;
  const view = project(finer.points(surface.points, surface.normals), camera);
  const map = boundedMapOf(view, finer.triangles, part, pixelMm / SAMPLES);
  const width = Math.round((part[1] - part[0]) / pixelMm);
  const height = Math.round((part[3] - part[2]) / pixelMm);
  const rgba = new Uint8Array(4 * width * height);
  const shade = shaderOf(view, camera, surface, map);
  const lit = new Float64Array(3);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      let count = 0;
      let last = -1;
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let k = 0; k < SAMPLES * SAMPLES; k++) {
        const x = map.frame + SAMPLES * column + (k % SAMPLES);
        const y = map.frame + SAMPLES * row + ((k / SAMPLES) | 0);
        const triangle = map.triangle[y * map.width + x];
        if (triangle < 0) continue;
        // Samples of one triangle in a pixel have nearly the same light.
        if (triangle !== last) shade(triangle, x, y, lit);
        last = triangle;
        red += lit[0];
        green += lit[1];
        blue += lit[2];
        count++;
      }
      if (count === 0) continue;
      const to = 4 * ((height - 1 - row) * width + column);
      rgba[to] = encoded(red / count);
      rgba[to + 1] = encoded(green / count);
      rgba[to + 2] = encoded(blue / count);
      rgba[to + 3] = Math.round((255 * count) / (SAMPLES * SAMPLES));
    }
  }
  return { width, height, rgba };
}

/** Computes the light of a sample: linear red, green and blue. */
type Shade = (triangle: number, x: number, y: number, lit: Float64Array) => void;

function shaderOf(
  { right, up }: Projected,
  { right: toRight, up: toUp, near: toNear }: Camera,
  { finer, materialOf, colours, base, features, ...coarse }: RenderedSurface,
  map: DepthMap,
): Shade {
  const { triangles } = finer;
  const normals = finer.means(coarse.normals, 3, Float32Array);
  const openness = finer.means(coarse.openness, 1, Uint8Array);
  const linear = colours.map((colour) => colour.map((value) => (value / 255) ** GAMMA));
  return (triangle, x, y, lit) => {
    const a = triangles[3 * triangle];
    const b = triangles[3 * triangle + 1];
    const c = triangles[3 * triangle + 2];
    const px = map.left + (x + 0.5) * map.pixelMm;
    const py = map.bottom + (y + 0.5) * map.pixelMm;
    const abx = right[b] - right[a];
    const aby = up[b] - up[a];
    const acx = right[c] - right[a];
    const acy = up[c] - up[a];
    const area = abx * acy - aby * acx;
    const wb = ((px - right[a]) * acy - (py - up[a]) * acx) / area;
    const wc = ((py - up[a]) * abx - (px - right[a]) * aby) / area;
    const wa = 1 - wb - wc;
    const nx = wa * normals[3 * a] + wb * normals[3 * b] + wc * normals[3 * c];
    const ny = wa * normals[3 * a + 1] + wb * normals[3 * b + 1] + wc * normals[3 * c + 1];
    const nz = wa * normals[3 * a + 2] + wb * normals[3 * b + 2] + wc * normals[3 * c + 2];
    const size = 1 / (Math.sqrt(nx * nx + ny * ny + nz * nz) || 1);
    const r = size * (nx * toRight[0] + ny * toRight[1] + nz * toRight[2]);
    const u = size * (nx * toUp[0] + ny * toUp[1] + nz * toUp[2]);
    const n = size * (nx * toNear[0] + ny * toNear[1] + nz * toNear[2]);
    const seen = (wa * openness[a] + wb * openness[b] + wc * openness[c]) / 255;
    const open = DARKEST + (1 - DARKEST) * seen;
    const key = Math.max(0, (r * KEY[0] + u * KEY[1] + n * KEY[2] + WRAP) / (1 + WRAP));
    const rim = Math.max(0, r * RIM[0] + u * RIM[1] + n * RIM[2]);
    const sky = (LIGHT.sky + LIGHT.fromAbove * u) * (0.5 * open + 0.5 * open * open);
    const own = sky + LIGHT.key * key * (0.45 + 0.55 * open) + LIGHT.rim * rim * open;
    const flat = 1 - Math.max(0, n);
    const edge = LIGHT.edge * open * flat * flat * flat;
    const material = materialOf[triangle >> 2];
    const colour = linear[material];
    const x0 = wa * base[3 * a] + wb * base[3 * b] + wc * base[3 * c];
    const y0 = wa * base[3 * a + 1] + wb * base[3 * b + 1] + wc * base[3 * c + 1];
    const z0 = wa * base[3 * a + 2] + wb * base[3 * b + 2] + wc * base[3 * c + 2];
    const painted = own * features(material, x0, y0, z0);
    for (let k = 0; k < 3; k++) lit[k] = colour[k] * painted + edge;
  };
}

/** Exponent between sRGB values and linear light, approximately (IEC 61966-2-1). */
const GAMMA = 2.2;
/** Values of sRGB for linear light from 0 to 1, in steps of 1 ÷ 4095. */
const ENCODED = Uint8Array.from({ length: 4096 }, (_, i) =>
  Math.round(255 * (i / 4095) ** (1 / GAMMA)),
);

function encoded(light: number): number {
  return ENCODED[Math.min(4095, Math.max(0, Math.round(4095 * light)))];
}

function unit(x: number, y: number, z: number): readonly [number, number, number] {
  const size = Math.hypot(x, y, z);
  return [x / size, y / size, z / size];
}
