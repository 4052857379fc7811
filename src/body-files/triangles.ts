import type { Body } from '../body/body.js';
import { cross, minus, unit, type Vector } from '../body/vectors.js';

const HEADER_BYTES = 80;
const TRIANGLE_BYTES = 50;

/** Converts a point with Y up to a point with Z up. The orientation of triangles stays the same. */
function zUp([x = 0, y = 0, z = 0]: readonly number[]): [number, number, number] {
  return [x, -z, y];
}

/** A body as binary STL in mm, Z up. */
export function stlOf({ positions, materials }: Body): Uint8Array {
  const parts = materials.map(({ triangles }) => ({ positions, triangles }));
  return stlFile('Vitruvia body, millimetres, Z up', parts, zUp);
}

/**
 * Triangles as binary STL.
 *
 * @param title the first 80 bytes, in Latin letters
 * @param place converts a point or a normal to the coordinates of the file
 */
export function stlFile(
  title: string,
  parts: readonly { readonly positions: Float32Array; readonly triangles: Uint16Array }[],
  place: (vector: readonly number[]) => readonly number[] = (vector) => vector,
): Uint8Array {
  const count = parts.reduce((sum, { triangles }) => sum + triangles.length / 3, 0);
  const file = Buffer.alloc(HEADER_BYTES + 4 + TRIANGLE_BYTES * count);
  file.write(title, 'latin1');
  file.writeUInt32LE(count, HEADER_BYTES);
  let at = HEADER_BYTES + 4;
  const put = (vector: readonly number[]): void => {
    for (const value of place(vector)) at = file.writeFloatLE(value, at);
  };
  for (const { positions, triangles } of parts) {
    for (let i = 0; i < triangles.length; i += 3) {
      const corners = [0, 1, 2].map((k): Vector => {
        const [x, y, z] = positions.subarray(3 * triangles[i + k]);
        return [x, y, z];
      });
      const [a, b, c] = corners;
      put(unit(cross(minus(b, a), minus(c, a))));
      corners.forEach(put);
      at += 2;
    }
  }
  return file;
}

/** Decimals of a coordinate, mm. */
const DECIMALS = 3;

/**
 * A body as Wavefront OBJ in mm, Z up, with a group for each material. Landmarks and remarks are comments.
 *
 * @param remarks lines of the head, without line breaks
 */
export function objOf(body: Body, remarks: readonly string[]): Uint8Array {
  const { positions, materials, landmarks } = body;
  const point = (vector: readonly number[]): string =>
    zUp(vector)
      .map((mm) => mm.toFixed(DECIMALS))
      .join(' ');
  const lines = ['# Vitruvia body, millimetres, Z up', ...remarks.map((remark) => `# ${remark}`)];
  for (const [name, at] of landmarks) lines.push(`# landmark ${name} ${point(at)}`);
  lines.push('o body');
  for (let i = 0; i < positions.length; i += 3) {
    lines.push(`v ${point([...positions.subarray(i, i + 3)])}`);
  }
  for (const { name, triangles } of materials) {
    lines.push(`g ${name}`, `usemtl ${name}`);
    for (let i = 0; i < triangles.length; i += 3) {
      const corners = [0, 1, 2].map((k) => triangles[i + k] + 1);
      lines.push(`f ${corners.join(' ')}`);
    }
  }
  return Buffer.from(`${lines.join('\n')}\n`);
}
