import type { Projected } from './camera.js';
import type { DepthMap } from './depth-map.js';
import type { Line } from './outline.js';
import { limbOf, type Surface } from './surface.js';

/** Which inner lines are drawn. */
export interface CreaseLimits {
  /**
   * The surface behind a line is at least this much farther away, mm. At the ends of a line, `faintJumpMm` is enough.
   */
  readonly jumpMm: number;
  readonly faintJumpMm: number;
  readonly leastLengthMm: number;
  /** Lines nearer to the outline than this are left out. */
  readonly outlineMm: number;
}

/** Distance from a line at which the surface behind it is looked up, pixels. */
const BESIDE_PX = 2;
/** Maximum gap that is closed between parts of one line, mm. */
const GAP_MM = 14;
/**
 * Returns the lines inside a body where the surface turns away from the viewer in front of something farther back:
 * between arm and trunk, below the chin, between the legs. On these lines the smooth normals of the surface are
 * perpendicular to the view, so the lines do not depend on pixels.
 *
 * @param normals x, y, z of each vertex's normal
 * @param near direction to the viewer
 * @param partOf number of the part of the body of each vertex
 */
export function creasesOf(
  view: Projected,
  map: DepthMap,
  { normals, axes, triangles, partOf }: Surface,
  limits: CreaseLimits,
): Line[] {
  const lines: Line[] = [];
  for (const chain of contourChains(view, normals, axes, triangles)) {
    for (const run of visibleRuns(chain, map, triangles, partOf, limits)) lines.push(run);
  }
  return lines;
}

/** Points of a line where the surface turns away from the viewer. */
interface Chain {
  readonly closed: boolean;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly near: Float64Array;
  /** Direction away from the surface in the view. */
  readonly outX: Float64Array;
  readonly outY: Float64Array;
  /** A vertex of the surface beside the point. */
  readonly vertex: Uint32Array;
}

function contourChains(
  { right, up, near }: Projected,
  normals: Float32Array,
  axes: Surface['axes'],
  triangles: Uint16Array | Uint32Array,
): Chain[] {
  const count = right.length;
  const along = (axis: number): Float32Array => {
    const [ax, ay, az] = axes[axis];
    const values = new Float32Array(count);
    for (let i = 0, at = 0; i < count; i++, at += 3) {
      values[i] = ax * normals[at] + ay * normals[at + 1] + az * normals[at + 2];
    }
    return values;
  };
  const facing = along(2);
  // The points where lines cross edges of the surface. Each point is linked to the points in the two triangles of its
  // edge.
  const numberOf = new Map<number, number>();
  const ends: number[] = [];
  const links: number[] = [];
  const crossing = (p: number, q: number): number => {
    const key = p < q ? p * count + q : q * count + p;
    let own = numberOf.get(key);
    if (own === undefined) {
      own = ends.length / 2;
      numberOf.set(key, own);
      ends.push(Math.min(p, q), Math.max(p, q));
      links.push(-1, -1);
    }
    return own;
  };
  const link = (a: number, b: number): void => {
    links[links[2 * a] === -1 ? 2 * a : 2 * a + 1] = b;
  };
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t];
    const b = triangles[t + 1];
    const c = triangles[t + 2];
    const fa = facing[a] > 0;
    const fb = facing[b] > 0;
    const fc = facing[c] > 0;
    if (fa === fb && fb === fc) continue;
    const alone = fa === fb ? c : fa === fc ? b : a;
    const [others, other] = alone === a ? [b, c] : alone === b ? [c, a] : [a, b];
    const [one, two] = [crossing(alone, others), crossing(alone, other)];
    link(one, two);
    link(two, one);
  }
  const outRight = along(0);
  const outUp = along(1);
  const total = ends.length / 2;
  const done = new Uint8Array(total);
  const chains: Chain[] = [];
  const follow = (start: number): void => {
    const own: number[] = [];
    let [before, at] = [-1, start];
    while (at !== -1 && done[at] === 0) {
      done[at] = 1;
      own.push(at);
      const [one, two] = [links[2 * at], links[2 * at + 1]];
      const next = one === before ? two : one;
      before = at;
      at = next;
    }
    if (own.length < 3) return;
    const size = own.length;
    const chain = {
      closed: at === start,
      x: new Float64Array(size),
      y: new Float64Array(size),
      near: new Float64Array(size),
      outX: new Float64Array(size),
      outY: new Float64Array(size),
      vertex: new Uint32Array(size),
    };
    own.forEach((node, i) => {
      const [p, q] = [ends[2 * node], ends[2 * node + 1]];
      const [fp, fq] = [facing[p], facing[q]];
      const share = fp / (fp - fq);
      const mix = (values: Float32Array): number => values[p] + share * (values[q] - values[p]);
      chain.x[i] = mix(right);
      chain.y[i] = mix(up);
      chain.near[i] = mix(near);
      const [ox, oy] = [mix(outRight), mix(outUp)];
      const length = Math.hypot(ox, oy) || 1;
      chain.outX[i] = ox / length;
      chain.outY[i] = oy / length;
      chain.vertex[i] = fp > 0 ? p : q;
    });
    chains.push(chain);
  };
  for (let i = 0; i < total; i++) if (links[2 * i + 1] === -1 && done[i] === 0) follow(i);
  for (let i = 0; i < total; i++) if (done[i] === 0) follow(i);
  return chains;
}

/** How a point of a chain is drawn. */
const HIDDEN = 0;
const OUTSIDE = 1;
const FAINT = 2;
const CLEAR = 3;

function visibleRuns(
  chain: Chain,
  map: DepthMap,
  triangles: Uint16Array | Uint32Array,
  partOf: Uint8Array,
  limits: CreaseLimits,
): Line[] {
  const count = chain.x.length;
  const kinds = new Uint8Array(count);
  for (let i = 0; i < count; i++) kinds[i] = kindOf(chain, i, map, triangles, partOf, limits);
  const length = (from: number, to: number): number =>
    Math.hypot(chain.x[to] - chain.x[from], chain.y[to] - chain.y[from]);
  // A closed chain is cut where nothing is drawn.
  let first = 0;
  if (chain.closed) {
    const gap = kinds.findIndex((kind) => kind <= OUTSIDE);
    first = gap < 0 ? 0 : gap;
  }
  const at = (i: number): number => (first + i) % count;
  const runs: Line[] = [];
  let run: number[] = [];
  let gapMm = 0;
  let clear = false;
  const end = (): void => {
    while (run.length > 0 && kinds[run.at(-1) as number] < FAINT) run.pop();
    let total = 0;
    for (let i = 1; i < run.length; i++) total += length(run[i - 1], run[i]);
    if (clear && total >= limits.leastLengthMm) {
      runs.push(Float64Array.from(run.flatMap((k) => [chain.x[k], chain.y[k]])));
    }
    [run, gapMm, clear] = [[], 0, false];
  };
  for (let i = 0; i < count; i++) {
    const k = at(i);
    const kind = kinds[k];
    if (kind >= FAINT) {
      run.push(k);
      gapMm = 0;
      clear ||= kind === CLEAR;
    } else if (run.length > 0) {
      gapMm += length(run.at(-1) as number, k);
      if (kind === OUTSIDE || gapMm > GAP_MM) end();
      else run.push(k);
    }
  }
  end();
  return runs;
}

function kindOf(
  { x, y, near, outX, outY, vertex }: Chain,
  i: number,
  map: DepthMap,
  triangles: Uint16Array | Uint32Array,
  partOf: Uint8Array,
  limits: CreaseLimits,
): number {
  const { width, height, pixelMm, left, bottom } = map;
  const px = (x[i] - left) / pixelMm - 0.5;
  const py = (y[i] - bottom) / pixelMm - 0.5;
  const [column, row] = [Math.round(px), Math.round(py)];
  if (column < 3 || row < 3 || column >= width - 3 || row >= height - 3) return OUTSIDE;
  // A point of the line is visible if its own surface is visible beside it.
  const part = partOf[vertex[i]];
  const [ox, oy] = [outX[i], outY[i]];
  const own = near[i];
  let seen = false;
  for (let k = 0.5; k <= 2.5 && !seen; k += 1) {
    const pixel = Math.round(py - k * oy) * width + Math.round(px - k * ox);
    const triangle = map.triangle[pixel];
    if (triangle < 0) continue;
    // The surface rises towards the viewer as a circle does. A much nearer surface lies in front of it.
    const isOwn = [0, 1, 2].some((c) => partOf[triangles[3 * triangle + c]] === part);
    const rise = map.near[pixel] - own;
    seen = isOwn && rise > -4 && rise < 3 + Math.sqrt(2 * 90 * k * pixelMm);
  }
  if (!seen) return HIDDEN;
  const pixel = Math.round(py + BESIDE_PX * oy) * width + Math.round(px + BESIDE_PX * ox);
  const behind = map.triangle[pixel];
  if (behind < 0) return OUTSIDE;
  const reach = limits.outlineMm / pixelMm;
  for (let turn = 0; turn < 8; turn++) {
    const [dx, dy] = [Math.cos((turn * Math.PI) / 4), Math.sin((turn * Math.PI) / 4)];
    const [cx, cy] = [Math.round(px + reach * dx), Math.round(py + reach * dy)];
    if (cx < 0 || cy < 0 || cx >= width || cy >= height) return OUTSIDE;
    if (map.triangle[cy * width + cx] < 0) return OUTSIDE;
  }
  const jump = own - map.near[pixel];
  if (jump < -4) return HIDDEN;
  const other = partOf[triangles[3 * behind]];
  // A line between a limb and the surface behind it is a border, not a crease.
  if (limbOf(part) !== limbOf(other)) return HIDDEN;
  if (jump >= limits.jumpMm) return CLEAR;
  return jump >= limits.faintJumpMm ? FAINT : HIDDEN;
}
