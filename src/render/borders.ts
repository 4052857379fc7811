import type { DepthMap } from './depth-map.js';
import { type Line, outlinesOf } from './outline.js';
import { limbOf, type Surface } from './surface.js';

/** Limb of a pixel where nothing is. */
const NOTHING = 255;

/** Distance from a border at which the surface is compared, pixels. */
const BESIDE_PX = 4;
/** A border is drawn where the surface jumps by at least `JUMP_MM`, or rises by at least `VALLEY_MM` on both sides. */
const JUMP_MM = 5;
const VALLEY_MM = 1.5;
/** Minimum length of a line, as a share of the shortest crease. */
const LEAST = 0.7;

/**
 * Returns the lines of a view where an arm meets another part, or where one leg meets the other. The surface must jump
 * or have a valley there. There is no line where a limb grows smoothly out of the trunk.
 */
export function bordersOf(
  map: DepthMap,
  { triangles, partOf }: Surface,
  leastLengthMm: number,
): Line[] {
  const { length } = map.triangle;
  const limbs = new Uint8Array(length).fill(NOTHING);
  for (let i = 0; i < length; i++) {
    const triangle = map.triangle[i];
    if (triangle >= 0) limbs[i] = limbOf(partOf[triangles[3 * triangle]]);
  }
  const lines: Line[] = [];
  for (const limb of [1, 2, 3]) {
    const isOther =
      limb === 3 ? (other: number) => other === 4 : (other: number) => other !== NOTHING;
    for (const line of outlinesOfLimb(map, limbs, limb)) {
      lines.push(...sharpRuns(line, map, limbs, isOther, leastLengthMm));
    }
  }
  return lines;
}

/** The lines around a limb. A limb fills only a part of the view, so only this part is searched. */
function outlinesOfLimb(
  { width, height, pixelMm, left, bottom }: DepthMap,
  limbs: Uint8Array,
  limb: number,
): Line[] {
  let [from, to, low, high] = [width, -1, height, -1];
  for (let y = 0; y < height; y++) {
    const row = limbs.subarray(y * width, (y + 1) * width);
    const first = row.indexOf(limb);
    if (first < 0) continue;
    from = Math.min(from, first);
    to = Math.max(to, row.lastIndexOf(limb));
    low = Math.min(low, y);
    high = y;
  }
  if (high < low) return [];
  const own = { width: to - from + 1, height: high - low + 1 };
  const inside = new Uint8Array(own.width * own.height);
  for (let y = 0; y < own.height; y++) {
    const row = (low + y) * width + from;
    for (let x = 0; x < own.width; x++) {
      if (limbs[row + x] === limb) inside[y * own.width + x] = 1;
    }
  }
  const corner = { left: left + from * pixelMm, bottom: bottom + low * pixelMm };
  return outlinesOf({ ...own, ...corner, pixelMm }, inside, 200);
}

function sharpRuns(
  line: Line,
  map: DepthMap,
  limbs: Uint8Array,
  isOther: (limb: number) => boolean,
  leastLengthMm: number,
): Line[] {
  const count = line.length / 2;
  const kinds = Uint8Array.from({ length: count }, (_, i) =>
    isSharp(line, i, map, limbs, isOther) ? 1 : 0,
  );
  const first = Math.max(0, kinds.indexOf(0));
  const gapPoints = 12 / map.pixelMm;
  const least = (LEAST * leastLengthMm) / map.pixelMm;
  const runs: Line[] = [];
  let run: number[] = [];
  let gap = 0;
  const end = (): void => {
    run.length -= Math.min(gap, run.length);
    if (run.length >= least) {
      runs.push(Float64Array.from(run.flatMap((k) => [line[2 * k], line[2 * k + 1]])));
    }
    run = [];
    gap = 0;
  };
  for (let i = 0; i < count; i++) {
    const k = (first + i) % count;
    const sharp = kinds[k] === 1;
    if (!sharp && run.length === 0) continue;
    run.push(k);
    gap = sharp ? 0 : gap + 1;
    if (gap > gapPoints) end();
  }
  end();
  return runs;
}

function isSharp(
  line: Line,
  at: number,
  { width, height, pixelMm, left, bottom, near }: DepthMap,
  limbs: Uint8Array,
  isOther: (limb: number) => boolean,
): boolean {
  const count = line.length / 2;
  const [before, after] = [(at + count - 3) % count, (at + 3) % count];
  const dx = line[2 * after] - line[2 * before];
  const dy = line[2 * after + 1] - line[2 * before + 1];
  const size = Math.hypot(dx, dy) || 1;
  // The limb lies to the left of the way.
  const [ox, oy] = [dy / size, -dx / size];
  const px = (line[2 * at] - left) / pixelMm - 0.5;
  const py = (line[2 * at + 1] - bottom) / pixelMm - 0.5;
  const pixel = (k: number): number => {
    const x = Math.min(width - 1, Math.max(0, Math.round(px + k * ox)));
    const y = Math.min(height - 1, Math.max(0, Math.round(py + k * oy)));
    return y * width + x;
  };
  const [inside, outside] = [pixel(-1), pixel(1)];
  if (!isOther(limbs[outside])) return false;
  // The jump that remains if the surface continues with its slope on both sides.
  const rest = (step: 1 | -1): number => 1.5 * near[pixel(step)] - 0.5 * near[pixel(3 * step)];
  const jump = Math.abs(rest(-1) - rest(1));
  if (jump >= JUMP_MM) return true;
  const floor = Math.min(near[inside], near[outside]);
  const [up, over] = [near[pixel(-BESIDE_PX)], near[pixel(BESIDE_PX)]];
  return up - floor >= VALLEY_MM && over - floor >= VALLEY_MM;
}
