import { type Skeleton, vectorAt } from './skeleton.js';
import { dot, minus } from './vectors.js';

/** Size of a cell of the map of the flank, mm, and number of cells in each direction. */
const CELL_MM = 5;
const CELLS = 480;
/** The arm keeps clear of so many cells around it, because its triangles are larger than cells. */
const AROUND = 2;
/** Distance between the skin of arm and flank, mm. */
const GAP_MM = 1;
/** A vertex belongs to the trunk or to an arm from this share of its bones on. */
const SHARE = 0.5;
/** So far around the middle of the upper arm the arm keeps its form, as a share of the upper arm. */
const MIDDLE = 0.18;

/**
 * Flattens the inner side of hanging arms where it lies in the flank or in the thigh, as flesh that rests on flesh. The
 * trunk keeps its form, because tapes lie on it. Bodies are symmetric.
 *
 * @param triangles all triangles of the body
 * @param vertices x, y, z of the posed vertices, mm; changed in place
 * @param heads x, y, z of the heads of the posed bones, mm
 */
export function layArms(
  skeleton: Skeleton,
  triangles: Uint16Array,
  vertices: Float64Array,
  heads: Float64Array,
): void {
  const arms = skeleton.movedBy(
    /^(upperarm|lowerarm|hand|index_0.|middle_0.|ring_0.|pinky_0.|thumb_0.)_[lr]$/,
  );
  const hands = skeleton.movedBy(/^(hand|index_0.|middle_0.|ring_0.|pinky_0.|thumb_0.)_[lr]$/);
  const isArm = (vertex: number): boolean => arms.shares[vertex] > SHARE;
  const shoulder = vectorAt(heads, skeleton.bone('upperarm_l'));
  const elbow = vectorAt(heads, skeleton.bone('lowerarm_l'));
  const upper = minus(elbow, shoulder);
  const elbowY = elbow[1];
  const flank = new Float32Array(CELLS * CELLS);
  const cellOf = (y: number, z: number): number =>
    (Math.floor((y - elbowY) / CELL_MM) + CELLS / 2) * CELLS + Math.floor(z / CELL_MM) + CELLS / 2;
  // The farthest point of the trunk in each cell, from corners and middles of the edges of its triangles.
  for (let i = 0; i < triangles.length; i++) {
    const [one, other] = [triangles[i], triangles[i % 3 === 2 ? i - 2 : i + 1]];
    const x = vertices[3 * one];
    if (x <= 0 || isArm(one) || isArm(other)) continue;
    for (let k = 0; k < 1; k += 0.5) {
      const at = (axis: number): number =>
        (1 - k) * vertices[3 * one + axis] + k * vertices[3 * other + axis];
      const cell = cellOf(at(1), at(2));
      if (at(0) > flank[cell]) flank[cell] = at(0);
    }
  }
  /** How deep a vertex lies in the flank, mm. */
  const depthOf = (vertex: number): number => {
    const at = 3 * vertex;
    const cell = cellOf(vertices[at + 1], vertices[at + 2]);
    let edge = 0;
    for (let row = -AROUND; row <= AROUND; row++) {
      for (let column = -AROUND; column <= AROUND; column++) {
        edge = Math.max(edge, flank[cell + row * CELLS + column]);
      }
    }
    return edge === 0 ? 0 : Math.max(0, edge + GAP_MM - Math.abs(vertices[at]));
  };
  for (const vertex of arms.vertices) {
    // The middle of the upper arm keeps its girth.
    const [x, y, z] = vectorAt(vertices, vertex);
    const way = dot(minus([Math.abs(x), y, z], shoulder), upper) / dot(upper, upper);
    const kept = Math.min(Math.max((MIDDLE - Math.abs(way - 0.5)) / (0.5 * MIDDLE), 0), 1);
    const share = (1 - kept) * (arms.shares[vertex] - hands.shares[vertex]);
    if (share <= 0 || !isArm(vertex)) continue;
    vertices[3 * vertex] += Math.sign(x) * share * depthOf(vertex);
  }
}
