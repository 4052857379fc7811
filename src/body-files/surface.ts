/** Unit normals of vertices. Each is the mean of the normals of the vertex's triangles, weighted by area. */
export function normalsOf(
  positions: Float32Array,
  triangles: readonly Uint16Array[],
): Float32Array {
  const normals = new Float32Array(positions.length);
  for (const list of triangles) {
    for (let i = 0; i < list.length; i += 3) {
      const corners = [0, 1, 2].map((k) => 3 * (list[i + k] as number));
      const normal = faceNormal(positions, corners as [number, number, number]);
      for (const at of corners) {
        for (let k = 0; k < 3; k++)
          normals[at + k] = (normals[at + k] as number) + (normal[k] as number);
      }
    }
  }
  for (let i = 0; i < normals.length; i += 3) {
    const size = Math.hypot(
      normals[i] as number,
      normals[i + 1] as number,
      normals[i + 2] as number,
    );
    // A vertex whose triangles have no area gets an arbitrary direction of length 1, because the format requires one.
    if (size === 0) normals[i + 1] = 1;
    else for (let k = i; k < i + 3; k++) normals[k] = (normals[k] as number) / size;
  }
  return normals;
}

/** The normal of a triangle. Its length is twice the triangle's area. */
export function faceNormal(
  positions: Float32Array,
  [a, b, c]: readonly [number, number, number],
): [number, number, number] {
  const side = (from: number, to: number, k: number): number =>
    (positions[to + k] as number) - (positions[from + k] as number);
  const [ux, uy, uz] = [side(a, b, 0), side(a, b, 1), side(a, b, 2)];
  const [vx, vy, vz] = [side(a, c, 0), side(a, c, 1), side(a, c, 2)];
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}

/** Converts a point with Y up to a point with Z up. The orientation of triangles stays the same. */
export function zUp([x = 0, y = 0, z = 0]: readonly number[]): [number, number, number] {
  return [x, -z, y];
}
