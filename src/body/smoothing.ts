import { type Mesh, skinOf } from './contact-map.js';

/** A vertex moves by this share of the way to the mean of its neighbours. */
const SHARE = 0.3;
/**
 * Shares of two moves of which the second one gives back the size that the first one takes: bumps vanish, girths stay
 * (Taubin 1995, "A signal processing approach to fair surface design", SIGGRAPH 95:351).
 */
const FAIR = [0.5, -0.52] as const;

/** The neighbours of each vertex, by triangles. */
function neighboursOf({ skeleton, views: { triangles } }: Mesh): readonly (readonly number[])[] {
  return skeleton.once('neighbours', () => {
    const sets: Set<number>[] = [];
    triangles.forEach((vertex, at) => {
      const first = at - (at % 3);
      sets[vertex] ??= new Set();
      for (const other of triangles.subarray(first, first + 3)) {
        if (other !== vertex) sets[vertex].add(other);
      }
    });
    return sets.map((set) => [...set]);
  });
}

/**
 * Smooths the skin: each vertex moves towards the mean of its neighbours.
 *
 * @param skin the vertices that move
 * @param vertices x, y, z of each vertex, mm; changed in place
 */
export function smooth(
  mesh: Mesh,
  skin: readonly number[],
  vertices: Float64Array,
  share = SHARE,
): void {
  const neighbours = neighboursOf(mesh);
  const moved = new Float64Array(3 * skin.length);
  skin.forEach((vertex, i) => {
    const around = neighbours[vertex];
    for (let k = 0; k < 3; k++) {
      let total = 0;
      for (const other of around) total += vertices[3 * other + k];
      const from = vertices[3 * vertex + k];
      moved[3 * i + k] = from + share * (total / around.length - from);
    }
  });
  skin.forEach((vertex, i) => {
    vertices.set(moved.subarray(3 * i, 3 * i + 3), 3 * vertex);
  });
}

/** Smooths bumps and grooves of the skin in some rounds. Its size stays. */
export function fair(
  mesh: Mesh,
  skin: readonly number[],
  vertices: Float64Array,
  rounds: number,
): void {
  for (let round = 0; round < rounds; round++) {
    for (const share of FAIR) smooth(mesh, skin, vertices, share);
  }
}

/** Bones whose skin has folds. */
export const FOLDS = {
  all: /^(pelvis|spine_0.|clavicle_.|upperarm_.|lowerarm_.|thigh_.|calf_.)$/,
  arms: /^(upperarm_.|lowerarm_.)$/,
  trunkAndLegs: /^(pelvis|spine_0.|thigh_.|calf_.)$/,
} as const;
/** Rounds that smooth only triangles that cross, and rounds that smooth their neighbours too. */
const ROUNDS = { near: 12, all: 30 } as const;

/**
 * Smooths folds of the skin until it does not cross itself, or for some rounds. Landmarks keep their places, so the skin
 * around them may still cross.
 *
 * @param bones the bones whose skin is looked at
 * @param vertices x, y, z of each vertex, mm; changed in place
 * @returns for each round the vertices that it smoothed
 */
export function smoothCrossings(mesh: Mesh, bones: RegExp, vertices: Float64Array): number[][] {
  const landmarks = new Set(Object.values(mesh.views.header.landmarks));
  const skin = skinOf(mesh, bones);
  const neighbours = neighboursOf(mesh);
  const isMoved = new Uint8Array(neighbours.length).fill(1);
  const rounds: number[][] = [];
  while (rounds.length < ROUNDS.all) {
    const found = crossing(skin, vertices, isMoved, landmarks);
    if (found.size === 0) break;
    const around = rounds.length < ROUNDS.near ? [] : [...found].flatMap((one) => neighbours[one]);
    const near = [...new Set([...found, ...around])].filter((vertex) => !landmarks.has(vertex));
    isMoved.fill(0);
    for (const vertex of near) isMoved[vertex] = 1;
    smooth(mesh, near, vertices);
    rounds.push(near);
  }
  return rounds;
}

/** Width of the columns in which triangles are compared, mm. */
const COLUMN_MM = 24;
/** Number of columns in each direction. */
const COLUMNS = 256;

/** The vertices of triangles without a landmark that cross others, where one of the two has moved. */
function crossing(
  triangles: Uint16Array,
  vertices: Float64Array,
  isMoved: Uint8Array,
  landmarks: ReadonlySet<number>,
): Set<number> {
  const isNew = new Uint8Array(triangles.length);
  const [low, high] = [new Float64Array(triangles.length), new Float64Array(triangles.length)];
  /** Triangles by their columns, which lie along z. */
  const columns = new Map<number, number[]>();
  const columnAt = (mm: number): number => Math.floor(mm / COLUMN_MM) + COLUMNS / 2;
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      isNew[t] |= isMoved[triangles[t + k]];
      const a = vertices[3 * triangles[t] + k];
      const b = vertices[3 * triangles[t + 1] + k];
      const c = vertices[3 * triangles[t + 2] + k];
      low[t + k] = Math.min(a, b, c);
      high[t + k] = Math.max(a, b, c);
    }
  }
  // Only columns with a triangle that has moved are needed.
  for (const wanted of [1, 0]) {
    for (let t = 0; t < triangles.length; t += 3) {
      if (isNew[t] !== wanted) continue;
      const [lastX, lastY] = [columnAt(high[t]), columnAt(high[t + 1])];
      for (let x = columnAt(low[t]); x <= lastX; x++) {
        for (let y = columnAt(low[t + 1]); y <= lastY; y++) {
          const column = columns.get(COLUMNS * y + x);
          if (column !== undefined) column.push(t);
          else if (wanted === 1) columns.set(COLUMNS * y + x, [t]);
        }
      }
    }
  }
  const found = new Set<number>();
  for (const [key, column] of columns) {
    for (let i = 1; i < column.length; i++) {
      const s = column[i];
      for (let j = 0; j < i; j++) {
        const t = column[j];
        if ((isNew[s] | isNew[t]) === 0) continue;
        if (low[t] > high[s] || low[s] > high[t]) continue;
        if (low[t + 1] > high[s + 1] || low[s + 1] > high[t + 1]) continue;
        if (low[t + 2] > high[s + 2] || low[s + 2] > high[t + 2]) continue;
        // Two triangles may share several columns; the one where both begin to lie decides.
        const x = columnAt(Math.max(low[s], low[t]));
        if (key !== COLUMNS * columnAt(Math.max(low[s + 1], low[t + 1])) + x) continue;
        if (!areCrossing(triangles, vertices, s, t)) continue;
        const corners = [0, 1, 2].flatMap((k) => [triangles[s + k], triangles[t + k]]);
        if (corners.some((vertex) => landmarks.has(vertex))) continue;
        for (const vertex of corners) found.add(vertex);
      }
    }
  }
  return found;
}

/** Whether an edge of one of two triangles goes through the other one. Triangles with a common corner do not count. */
function areCrossing(triangles: Uint16Array, vertices: Float64Array, s: number, t: number) {
  for (let k = 0; k < 9; k++) {
    if (triangles[s + (k % 3)] === triangles[t + ((k / 3) | 0)]) return false;
  }
  const first = placeOf(triangles, vertices, s, t);
  return first === 'cut' || (first === 'near' && placeOf(triangles, vertices, t, s) === 'cut');
}

/**
 * Whether a triangle lies on one side of the plane of another one (`beside`), an edge of it goes through the other one
 * (`cut`), or neither (`near`). Plain variables are used because this is the hottest loop of a sitting body.
 */
function placeOf(triangles: Uint16Array, vertices: Float64Array, edges: number, triangle: number) {
  const a = 3 * triangles[triangle];
  const b = 3 * triangles[triangle + 1];
  const c = 3 * triangles[triangle + 2];
  const ax = vertices[a];
  const ay = vertices[a + 1];
  const az = vertices[a + 2];
  const bx = vertices[b] - ax;
  const by = vertices[b + 1] - ay;
  const bz = vertices[b + 2] - az;
  const cx = vertices[c] - ax;
  const cy = vertices[c + 1] - ay;
  const cz = vertices[c + 2] - az;
  const nx = by * cz - bz * cy;
  const ny = bz * cx - bx * cz;
  const nz = bx * cy - by * cx;
  const size = nx * nx + ny * ny + nz * nz;
  let isBeside = true;
  for (let k = 0; k < 3; k++) {
    const from = 3 * triangles[edges + k];
    const to = 3 * triangles[edges + (k === 2 ? 0 : k + 1)];
    const x = vertices[from] - ax;
    const y = vertices[from + 1] - ay;
    const z = vertices[from + 2] - az;
    const dx = vertices[to] - ax - x;
    const dy = vertices[to + 1] - ay - y;
    const dz = vertices[to + 2] - az - z;
    const above = nx * x + ny * y + nz * z;
    const rise = nx * dx + ny * dy + nz * dz;
    if (above > 0 === above + rise > 0) continue;
    isBeside = false;
    // Where the edge meets the plane, and its place between the corners.
    const ex = x - (above / rise) * dx;
    const ey = y - (above / rise) * dy;
    const ez = z - (above / rise) * dz;
    const u = nx * (ey * cz - ez * cy) + ny * (ez * cx - ex * cz) + nz * (ex * cy - ey * cx);
    const v = nx * (by * ez - bz * ey) + ny * (bz * ex - bx * ez) + nz * (bx * ey - by * ex);
    if (u >= 0 && v >= 0 && u + v <= size) return 'cut';
  }
  return isBeside ? 'beside' : 'near';
}
