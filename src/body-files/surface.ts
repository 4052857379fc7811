import { vertexNormals } from '../body/volume.js';

/** Unit normals of vertices. Where triangles have no area, a normal points up: the format requires the length 1. */
export function normalsOf(
  positions: Float32Array,
  triangles: readonly Uint16Array[],
): Float32Array {
  const normals = vertexNormals(positions, Uint16Array.from(triangles.flatMap((one) => [...one])));
  for (let i = 0; i < normals.length; i += 3) {
    if (normals.subarray(i, i + 3).every((value) => value === 0)) normals[i + 1] = 1;
  }
  return normals;
}

/** Converts a point with Y up to a point with Z up. The orientation of triangles stays the same. */
export function zUp([x = 0, y = 0, z = 0]: readonly number[]): [number, number, number] {
  return [x, -z, y];
}
