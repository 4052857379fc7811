import { edgesWithin } from './regions.js';
import { type Skeleton, vectorAt } from './skeleton.js';
import { clamp, fromAxis, ramp } from './vectors.js';

/** Size of a cell of the map of the flank, mm, and number of cells in each direction. */
const CELL_MM = 5;
const CELLS = 480;
/** The arm keeps clear of so many cells around it, because its triangles are larger than cells. */
const AROUND = 2;
/** Distance between the skin of arm and flank, mm. */
const GAP_MM = 1;
/** A vertex belongs to the trunk or to an arm from this share of its bones on. */
const SHARE = 0.5;
/** Skin of the arm gives way fully from `SHARE` and this share of its bones on. */
const FULL = 0.2;
/** So far around the middle of the upper arm the arm keeps its form, as a share of the upper arm. */
const MIDDLE = 0.08;

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
  const shoulder = vectorAt(heads, skeleton.bone('upperarm_l'));
  const elbow = vectorAt(heads, skeleton.bone('lowerarm_l'));
  const elbowY = elbow[1];
  const flank = new Float32Array(CELLS * CELLS);
  const cellOf = (y: number, z: number): number =>
    (Math.floor((y - elbowY) / CELL_MM) + CELLS / 2) * CELLS + Math.floor(z / CELL_MM) + CELLS / 2;
  // The farthest point of the trunk in each cell, from the ends and the middles of its edges.
  const edges = flankEdges(skeleton, triangles);
  const put = (x: number, y: number, z: number): void => {
    const cell = cellOf(y, z);
    if (x > flank[cell]) flank[cell] = x;
  };
  for (let i = 0; i < edges.length; i += 2) {
    const [a, b] = [3 * edges[i], 3 * edges[i + 1]];
    put(vertices[a], vertices[a + 1], vertices[a + 2]);
    put(
      (vertices[a] + vertices[b]) / 2,
      (vertices[a + 1] + vertices[b + 1]) / 2,
      (vertices[a + 2] + vertices[b + 2]) / 2,
    );
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
    const { way } = fromAxis([Math.abs(x), y, z], shoulder, elbow);
    const kept = clamp((MIDDLE - Math.abs(way - 0.5)) / (0.5 * MIDDLE), 0, 1);
    const share = (1 - kept) * ramp((arms.shares[vertex] - hands.shares[vertex] - SHARE) / FULL);
    if (share <= 0) continue;
    vertices[3 * vertex] += Math.sign(x) * share * depthOf(vertex);
  }
}

/** Edges of trunk and thighs, as pairs of vertices. All bodies share them. */
const knownEdges = new WeakMap<Skeleton, Uint16Array>();

function flankEdges(skeleton: Skeleton, triangles: Uint16Array): Uint16Array {
  const known = knownEdges.get(skeleton);
  if (known !== undefined) return known;
  const { shares } = skeleton.movedBy(/^(pelvis|spine_0.|thigh_[lr])$/);
  const edges = edgesWithin(triangles, (vertex) => shares[vertex] >= 1 - SHARE);
  knownEdges.set(skeleton, edges);
  return edges;
}
