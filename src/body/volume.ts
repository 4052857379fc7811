import { overlapOf } from './overlap.js';

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
