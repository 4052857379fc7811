import type { Mesh } from './contact-map.js';
import type { Skeleton } from './skeleton.js';

/** A vertex moves by this share of the way to the mean of its neighbours. */
const SHARE = 0.3;
/**
 * Shares of two moves of which the second one gives back the size that the first one takes: bumps vanish, girths stay
 * (Taubin 1995, "A signal processing approach to fair surface design", SIGGRAPH 95:351).
 */
const FAIR = [0.5, -0.52] as const;

/** The neighbours of each vertex, by triangles. All bodies share them. */
const known = new WeakMap<Skeleton, readonly (readonly number[])[]>();

export function neighboursOf({ skeleton, views: { triangles } }: Mesh) {
  const found = known.get(skeleton);
  if (found !== undefined) return found;
  const sets: Set<number>[] = [];
  triangles.forEach((vertex, at) => {
    const first = at - (at % 3);
    sets[vertex] ??= new Set();
    for (const other of triangles.subarray(first, first + 3)) {
      if (other !== vertex) sets[vertex].add(other);
    }
  });
  const neighbours = sets.map((set) => [...set]);
  known.set(skeleton, neighbours);
  return neighbours;
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
