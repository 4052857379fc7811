import type { Region, Regions } from './regions.js';
import { marked, type Posed } from './skeleton.js';
import { distancesFrom } from './slice.js';
import type { Place } from './tape.js';

/** While the shape changes, a tape may touch points this far from its planes and ends, as a share of stature. */
const NEAR = { plane: 0.015, end: 0.008 } as const;

/** A posed body and the places where a tape has measured it. */
interface Measured {
  readonly posed: Posed;
  readonly places: readonly Place[];
}

/**
 * Returns the parts of the body near the places of the tapes. The tapes need no other parts as long as the shape
 * changes little. Two thirds of the vertices are in the face, fingers and toes, which no tape touches.
 */
export function regionsNear(
  regions: Regions,
  measured: readonly Measured[],
  statureMm: number,
): Regions {
  const near = Object.entries(regions).map(([name, part]) => {
    const own = measured.map(({ posed, places }) => ({
      ...{ posed, places: places.filter(({ region }) => region === name) },
    }));
    return [name, partNear(part, own, statureMm)] as const;
  });
  return Object.fromEntries(near) as unknown as Regions;
}

function partNear(part: Region, measured: readonly Measured[], statureMm: number): Region {
  const count = (measured[0]?.posed.vertices.length ?? 0) / 3;
  const { vertices, edges, cuts } = part;
  const kept = new Uint8Array(count);
  const keptEdges = new Uint8Array(edges.length / 2);
  for (const { posed, places } of measured) {
    for (const { normal, level, reachMm = 0, isEnd } of places) {
      const room = reachMm + statureMm * (isEnd ? NEAR.end : NEAR.plane);
      const far = distancesFrom(part, posed.vertices, normal, level);
      if (isEnd) {
        for (const vertex of vertices) if (far[vertex] > -room) kept[vertex] = 1;
        continue;
      }
      for (let i = 0; i < edges.length; i += 2) {
        const a = far[edges[i]];
        const b = far[edges[i + 1]];
        if (Math.min(a, b) < room && Math.max(a, b) > -room) keptEdges[i / 2] = 1;
      }
    }
  }
  const pairs = edges.filter((_, i) => keptEdges[i >> 1] === 1);
  const used = [...new Set(pairs.filter((end) => end >= count))].sort((a, b) => a - b);
  const renumbered = new Map(used.map((end, index) => [end, count + index]));
  for (const end of pairs) if (end < count) kept[end] = 1;
  return {
    vertices: vertices.filter((vertex) => kept[vertex] === 1),
    edges: pairs.map((end) => renumbered.get(end) ?? end),
    cuts: used.map((end) => cuts[end - count]),
  };
}

/** Returns the vertices of parts of the body and further vertices, in ascending order. */
export function verticesOf(
  count: number,
  parts: readonly Region[],
  ...others: readonly ArrayLike<number>[]
): Uint16Array {
  const own = new Uint8Array(count);
  for (const { vertices, cuts } of parts) {
    for (const vertex of vertices) own[vertex] = 1;
    for (const { from, to } of cuts) {
      own[from] = 1;
      own[to] = 1;
    }
  }
  for (const list of others) for (let i = 0; i < list.length; i++) own[list[i]] = 1;
  return marked(own);
}
