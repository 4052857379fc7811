import { heightOfBack } from '../body/height-of-back.js';
import { edgesWithin, skinTriangles } from '../body/regions.js';
import { type Posed, type Skeleton, vectorAt } from '../body/skeleton.js';
import { between, dot, type Vector } from '../body/vectors.js';
import type { ShapeViews } from '../lookup/shape-file.js';

/** Edges of parts of the body, by the pattern of their bones. All bodies of an artifact share them. */
const known = new WeakMap<Skeleton, Map<string, Uint16Array>>();

/** The largest height or place to the left (sign 1), or the smallest one with its sign changed (sign −1). */
export function extremeOf(vertices: Float64Array, sign: 1 | -1, axis: 0 | 1 = 1): number {
  let most = -Infinity;
  for (let i: number = axis; i < vertices.length; i += 3) most = Math.max(most, sign * vertices[i]);
  return most;
}

/** Finds points on a posed body, mm: x to its left, y up from the floor, z forward. */
export class Probe {
  /** x, y, z of the vertices. The pelvis is above the origin. */
  readonly vertices: Float64Array;
  private readonly heads: Float64Array;
  /** The point of the pose that becomes the origin, mm. */
  readonly origin: Vector;

  /** @param floorMm height of the posed body that is on the floor; by default that of its lowest point */
  constructor(
    private readonly views: ShapeViews,
    private readonly skeleton: Skeleton,
    { vertices, heads }: Posed,
    floorMm = -extremeOf(vertices, -1),
  ) {
    const [x, , z] = vectorAt(heads, skeleton.bone('pelvis'));
    this.origin = [x, floorMm, z];
    this.vertices = vertices.map((value, i) => value - this.origin[i % 3]);
    this.heads = heads.map((value, i) => value - this.origin[i % 3]);
  }

  /** Edges of a part. A vertex belongs to it if its largest weight is that of one of the part's bones. */
  private edges(bones: RegExp): Uint16Array {
    const { skeleton } = this;
    const { triangles, skinBone, header } = this.views;
    const parts = known.get(skeleton) ?? new Map<string, Uint16Array>();
    known.set(skeleton, parts);
    const part = parts.get(bones.source);
    if (part !== undefined) return part;
    const matches = skeleton.names.map((name) => bones.test(name));
    const skin = triangles.subarray(0, 3 * skinTriangles(header.materials));
    const edges = edgesWithin(skin, (vertex) => matches[skinBone[4 * vertex]] === true);
    parts.set(bones.source, edges);
    return edges;
  }

  /** A landmark of the shape. */
  mark(name: string): Vector {
    const vertex = this.views.header.landmarks[name];
    if (vertex === undefined) throw new Error(`The shape has no landmark ${name}.`);
    return vectorAt(this.vertices, vertex);
  }

  /** The point where a bone begins. */
  joint(bone: string): Vector {
    return vectorAt(this.heads, this.skeleton.bone(bone));
  }

  /** The vertex of the whole body that lies least far in a direction. */
  lowest([ux, uy, uz]: Vector): Vector {
    const { vertices } = this;
    let [lowest, at] = [Infinity, 0];
    for (let i = 0; i < vertices.length; i += 3) {
      const own = ux * vertices[i] + uy * vertices[i + 1] + uz * vertices[i + 2];
      if (own < lowest) [lowest, at] = [own, i];
    }
    return vectorAt(vertices, at / 3);
  }

  /** The accepted vertex of a part that lies farthest in a direction. */
  far(bones: RegExp, direction: Vector, accepts: (point: Vector) => boolean = () => true): Vector {
    const { vertices } = this;
    const [dx, dy, dz] = direction;
    let best = -1;
    let most = -Infinity;
    for (const vertex of this.edges(bones)) {
      const at = 3 * vertex;
      const own = dx * vertices[at] + dy * vertices[at + 1] + dz * vertices[at + 2];
      if (own > most && accepts(vectorAt(vertices, vertex))) [best, most] = [vertex, own];
    }
    return best < 0 ? [0, 0, 0] : vectorAt(vertices, best);
  }

  /** The height at which a part reaches farthest back between two heights, by the method of the tape. */
  heightOfBack(bones: RegExp, least: number, most: number): number {
    return heightOfBack(this.vertices, new Set(this.edges(bones)), least, most).heightMm;
  }

  /** The points of a part in a plane that lie least far and farthest in a direction. */
  across(bones: RegExp, at: Vector, normal: Vector, along: Vector): readonly [Vector, Vector] {
    const edges = this.edges(bones);
    const { vertices } = this;
    const [nx, ny, nz] = normal;
    const level = dot(at, normal);
    const beyond = (vertex: number): number =>
      nx * vertices[3 * vertex] +
      ny * vertices[3 * vertex + 1] +
      nz * vertices[3 * vertex + 2] -
      level;
    let [least, most] = [Infinity, -Infinity];
    let [from, to] = [at, at];
    for (let i = 0; i < edges.length; i += 2) {
      const a = edges[i];
      const b = edges[i + 1];
      const da = beyond(a);
      const db = beyond(b);
      if (da > 0 === db > 0) continue;
      const point = between(vectorAt(vertices, a), vectorAt(vertices, b), da / (da - db));
      const own = dot(point, along);
      if (own < least) [from, least] = [point, own];
      if (own > most) [to, most] = [point, own];
    }
    return [from, to];
  }
}
