import { rangeOf } from '../body/volume.js';
import type { Projected } from './camera.js';
import type { Box } from './drawing.js';

/** The pixels that a camera sees. Row 0 is the lowest. A frame of empty pixels surrounds the part of the view. */
export interface DepthMap {
  readonly width: number;
  readonly height: number;
  readonly pixelMm: number;
  /** Position of the lower left corner of the first pixel, mm. */
  readonly left: number;
  readonly bottom: number;
  /** Number of empty pixels on each side. */
  readonly frame: number;
  /** Triangle that is seen, or −1. */
  readonly triangle: Int32Array;
  /** Depth of each pixel towards the viewer, mm; −Infinity if the pixel is empty. */
  readonly near: Float32Array;
}

/** Empty pixels around the part, so that outlines close and samples beside them stay inside. */
const FRAME = 4;

/**
 * Draws triangles into a depth map. Only triangles that face the viewer are drawn; they cover the same pixels as the
 * closed surface. A pixel belongs to the nearest triangle at its centre.
 *
 * @param triangles three points of each triangle, counterclockwise from outside
 * @param part the part of the view to draw, mm
 */
export function depthMapOf(
  { right, up, near }: Projected,
  triangles: Uint16Array | Uint32Array,
  part: Box,
  pixelMm: number,
): DepthMap {
  const [leftMm, rightMm, bottomMm, topMm] = part;
  const width = Math.ceil((rightMm - leftMm) / pixelMm) + 2 * FRAME;
  const height = Math.ceil((topMm - bottomMm) / pixelMm) + 2 * FRAME;
  const left = leftMm - FRAME * pixelMm;
  const bottom = bottomMm - FRAME * pixelMm;
  const seen = new Int32Array(width * height).fill(-1);
  const depth = new Float32Array(width * height).fill(-Infinity);
  const perMm = 1 / pixelMm;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t];
    const b = triangles[t + 1];
    const c = triangles[t + 2];
    // In pixels, with centres at whole numbers.
    const ax = (right[a] - left) * perMm - 0.5;
    const ay = (up[a] - bottom) * perMm - 0.5;
    const bx = (right[b] - left) * perMm - 0.5;
    const by = (up[b] - bottom) * perMm - 0.5;
    const cx = (right[c] - left) * perMm - 0.5;
    const cy = (up[c] - bottom) * perMm - 0.5;
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if (!(area > 0)) continue;
    const low = Math.max(FRAME, Math.ceil(Math.min(ay, by, cy)));
    const high = Math.min(height - 1 - FRAME, Math.floor(Math.max(ay, by, cy)));
    if (low > high) continue;
    const number = t / 3;
    const az = near[a];
    // Increase of the depth per pixel.
    const db = (near[b] - az) / area;
    const dc = (near[c] - az) / area;
    const dx = db * (cy - ay) - dc * (by - ay);
    const dy = dc * (bx - ax) - db * (cx - ax);
    for (let y = low; y <= high; y++) {
      // The part of the row between the edges. The inside is to the right of the edges that lead down.
      let from = -Infinity;
      let to = Infinity;
      if (ay !== by) {
        const x = ax + ((y - ay) * (bx - ax)) / (by - ay);
        if (by < ay) from = Math.max(from, x);
        else to = Math.min(to, x);
      } else if ((bx - ax) * (y - ay) < 0) continue;
      if (by !== cy) {
        const x = bx + ((y - by) * (cx - bx)) / (cy - by);
        if (cy < by) from = Math.max(from, x);
        else to = Math.min(to, x);
      } else if ((cx - bx) * (y - by) < 0) continue;
      if (cy !== ay) {
        const x = cx + ((y - cy) * (ax - cx)) / (ay - cy);
        if (ay < cy) from = Math.max(from, x);
        else to = Math.min(to, x);
      } else if ((ax - cx) * (y - cy) < 0) continue;
      const first = Math.max(FRAME, Math.ceil(from));
      const last = Math.min(width - 1 - FRAME, Math.floor(to));
      let z = az + dx * (first - ax) + dy * (y - ay);
      const end = y * width + last;
      for (let at = y * width + first; at <= end; at++) {
        if (z > depth[at]) {
          depth[at] = z;
          seen[at] = number;
        }
        z += dx;
      }
    }
  }
  return { width, height, pixelMm, left, bottom, frame: FRAME, triangle: seen, near: depth };
}

/** The part of a view that triangles fill. */
export function boxOf({ right, up }: Projected, triangles: Uint16Array): Box {
  return [...rangeOf(right, triangles), ...rangeOf(up, triangles)];
}
