/** Cubic millimetres in a litre. */
const MM3_PER_LITRE = 1e6;

/** The volume inside a closed surface, litres, and its gradient by vertex. */
export function volumeOf(
  vertices: Float64Array | Float32Array,
  triangles: Uint16Array | Uint32Array,
  gradient?: Float64Array,
): number {
  let total = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    // Plain variables are used because destructuring would allocate memory in the hottest loop of the fit.
    const a = 3 * triangles[i];
    const b = 3 * triangles[i + 1];
    const c = 3 * triangles[i + 2];
    const ax = vertices[a];
    const ay = vertices[a + 1];
    const az = vertices[a + 2];
    const bx = vertices[b];
    const by = vertices[b + 1];
    const bz = vertices[b + 2];
    const cx = vertices[c];
    const cy = vertices[c + 1];
    const cz = vertices[c + 2];
    const nx = by * cz - bz * cy;
    const ny = bz * cx - bx * cz;
    const nz = bx * cy - by * cx;
    total += ax * nx + ay * ny + az * nz;
    if (gradient === undefined) continue;
    gradient[a] += nx;
    gradient[a + 1] += ny;
    gradient[a + 2] += nz;
    gradient[b] = gradient[b] + cy * az - cz * ay;
    gradient[b + 1] = gradient[b + 1] + cz * ax - cx * az;
    gradient[b + 2] = gradient[b + 2] + cx * ay - cy * ax;
    gradient[c] = gradient[c] + ay * bz - az * by;
    gradient[c + 1] = gradient[c + 1] + az * bx - ax * bz;
    gradient[c + 2] = gradient[c + 2] + ax * by - ay * bx;
  }
  const unitLitres = 1 / (6 * MM3_PER_LITRE);
  if (gradient !== undefined) {
    for (let i = 0; i < gradient.length; i++) gradient[i] = unitLitres * gradient[i];
  }
  return unitLitres * total;
}

/** The volume inside a surface, litres, where nothing counts twice, and the share that the surface encloses again. */
export interface Enclosed {
  readonly litres: number;
  readonly overlap: number;
}

export function enclosedBy(vertices: Float64Array, triangles: Uint16Array): Enclosed {
  const overlap = overlapOf(vertices, triangles);
  return { litres: volumeOf(vertices, triangles) / (1 + overlap), overlap };
}

/** Unit normals of the vertices of a closed surface, x, y, z: the directions in which its volume grows most. */
export function vertexNormals(
  points: Float64Array | Float32Array,
  triangles: Uint16Array | Uint32Array,
): Float32Array {
  const gradient = new Float64Array(points.length);
  volumeOf(points, triangles, gradient);
  const normals = new Float32Array(points.length);
  for (let i = 0; i < normals.length; i += 3) {
    const [x, y, z] = [gradient[i], gradient[i + 1], gradient[i + 2]];
    const size = Math.sqrt(x * x + y * y + z * z) || 1;
    normals[i] = x / size;
    normals[i + 1] = y / size;
    normals[i + 2] = z / size;
  }
  return normals;
}

/** Columns along the longest side of a body. The share of overlap is then right to about 0.0002. */
const COLUMNS = 180;
/** The grid begins this part of a cell outside the body, so that no column meets the middle plane or an edge. */
const OFFSET = 0.317;

/**
 * The share of the space inside a surface that the surface encloses more than once. Columns along z cut the surface:
 * at each cut the number of surfaces around a place rises or falls by 1.
 */
export function overlapOf(vertices: ArrayLike<number>, triangles: ArrayLike<number>): number {
  const [leftmost, right] = rangeOf(vertices, triangles, 3);
  const [lowest, high] = rangeOf(vertices, triangles, 3, 1);
  const cell = Math.max(right - leftmost, high - lowest) / COLUMNS;
  const columns = Math.ceil((right - leftmost) / cell) + 1;
  const rows = Math.ceil((high - lowest) / cell) + 1;
  const left = leftmost - OFFSET * cell;
  const low = lowest - OFFSET * cell;
  // The cuts of a column are a list by rising z. `first` and `next` are numbers of cuts; a cut out of the surface has
  // an even code, a cut into it an odd one.
  const depths: number[] = [];
  const next: number[] = [];
  const first = new Int32Array(columns * rows).fill(-1);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const ax = (vertices[a] - left) / cell;
    const ay = (vertices[a + 1] - low) / cell;
    const bx = (vertices[b] - left) / cell;
    const by = (vertices[b + 1] - low) / cell;
    const cx = (vertices[c] - left) / cell;
    const cy = (vertices[c + 1] - low) / cell;
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if (area === 0) continue;
    const toX = Math.max(ax, bx, cx);
    const toY = Math.max(ay, by, cy);
    for (let y = Math.ceil(Math.min(ay, by, cy)); y <= toY; y++) {
      for (let x = Math.ceil(Math.min(ax, bx, cx)); x <= toX; x++) {
        const wa = ((bx - x) * (cy - y) - (by - y) * (cx - x)) / area;
        const wb = ((cx - x) * (ay - y) - (cy - y) * (ax - x)) / area;
        const wc = 1 - wa - wb;
        if (wa < 0 || wb < 0 || wc < 0) continue;
        const z = wa * vertices[a + 2] + wb * vertices[b + 2] + wc * vertices[c + 2];
        const column = y * columns + x;
        let before = -1;
        let after = first[column];
        while (after >= 0 && depths[after >> 1] < z) {
          before = after;
          after = next[after >> 1];
        }
        const code = 2 * depths.length + (area > 0 ? 0 : 1);
        if (before < 0) first[column] = code;
        else next[before >> 1] = code;
        depths.push(z);
        next.push(after);
      }
    }
  }
  let [once, more] = [0, 0];
  for (const start of first) {
    let around = 0;
    let from = 0;
    for (let code = start; code >= 0; code = next[code >> 1]) {
      const z = depths[code >> 1];
      if (around > 0) once += z - from;
      if (around > 1) more += z - from;
      from = z;
      around += (code & 1) === 1 ? 1 : -1;
    }
  }
  return more / once;
}

/**
 * The least and the largest value of some points.
 *
 * @param size number of values of each point, of which `at` is the place of the one that counts
 */
export function rangeOf(
  values: ArrayLike<number>,
  points: ArrayLike<number>,
  size = 1,
  at = 0,
): readonly [least: number, most: number] {
  let [least, most] = [Infinity, -Infinity];
  for (let i = 0; i < points.length; i++) {
    const value = values[size * points[i] + at];
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}
