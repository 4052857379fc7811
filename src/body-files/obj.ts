import type { Body } from '../body/body.js';
import { zUp } from './stl.js';

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
