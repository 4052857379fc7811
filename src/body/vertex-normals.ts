/** Unit normals of vertices, x, y, z. Each is the mean of the normals of the vertex's triangles, weighted by area. */
export function vertexNormals(
  points: Float64Array | Float32Array,
  triangles: Uint16Array | Uint32Array,
): Float32Array {
  const normals = new Float32Array(points.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const ux = points[b] - points[a];
    const uy = points[b + 1] - points[a + 1];
    const uz = points[b + 2] - points[a + 2];
    const vx = points[c] - points[a];
    const vy = points[c + 1] - points[a + 1];
    const vz = points[c + 2] - points[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    for (let corner = t; corner < t + 3; corner++) {
      const at = 3 * triangles[corner];
      normals[at] += nx;
      normals[at + 1] += ny;
      normals[at + 2] += nz;
    }
  }
  for (let i = 0; i < normals.length; i += 3) {
    const x = normals[i];
    const y = normals[i + 1];
    const z = normals[i + 2];
    const unit = 1 / (Math.sqrt(x * x + y * y + z * z) || 1);
    normals[i] = unit * x;
    normals[i + 1] = unit * y;
    normals[i + 2] = unit * z;
  }
  return normals;
}
