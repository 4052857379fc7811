import { heightOfBack } from '../body/height-of-back.js';
import { skinTriangles } from '../body/regions.js';
import type { Skeleton } from '../body/skeleton.js';
import { vectorAt } from '../body/skeleton.js';
import { between, dot, type Vector } from '../body/vectors.js';
import type { ShapeViews } from '../lookup/shape-file.js';

/** Edges of parts of the body, found by the pattern of their bones. All bodies of an artifact share them. */
export class PartEdges {
  private readonly known = new Map<string, Uint16Array>();

  constructor(
    private readonly views: ShapeViews,
    private readonly skeleton: Skeleton,
  ) {}

  /**
   * Edges of a part, as pairs of vertices. A vertex belongs to the part if its largest weight is that of one of the
   * part's bones.
   */
  of(bones: RegExp): Uint16Array {
    let edges = this.known.get(bones.source);
    if (edges === undefined) {
      edges = this.find(bones);
      this.known.set(bones.source, edges);
    }
    return edges;
  }

  private find(bones: RegExp): Uint16Array {
    const { triangles, skinBone, header } = this.views;
    const corners = 3 * skinTriangles(header.materials);
    const matches = this.skeleton.names.map((name) => bones.test(name));
    const isIn = (vertex: number): boolean => matches[skinBone[4 * vertex]] === true;
    const found: number[] = [];
    for (let i = 0; i < corners; i++) {
      const [a, b] = [triangles[i], triangles[i % 3 === 2 ? i - 2 : i + 1]];
      // Each edge belongs to two triangles. They contain it in opposite directions, so one of them adds it.
      if (a < b && isIn(a) && isIn(b)) found.push(a, b);
    }
    return Uint16Array.from(found);
  }
}

/** Finds points on a posed body, mm: x to its left, y up from the floor, z forward. */
export class Probe {
  constructor(
    private readonly views: ShapeViews,
    private readonly skeleton: Skeleton,
    private readonly edges: PartEdges,
    readonly vertices: Float64Array,
    private readonly heads: Float64Array,
  ) {}

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
    for (const vertex of this.edges.of(bones)) {
      const at = 3 * vertex;
      const own = dx * vertices[at] + dy * vertices[at + 1] + dz * vertices[at + 2];
      if (own > most && accepts(vectorAt(vertices, vertex))) [best, most] = [vertex, own];
    }
    return best < 0 ? [0, 0, 0] : vectorAt(vertices, best);
  }

  /** The height at which a part reaches farthest back between two heights, by the method of the tape. */
  heightOfBack(bones: RegExp, least: number, most: number): number {
    return heightOfBack(this.vertices, new Set(this.edges.of(bones)), least, most).heightMm;
  }

  /** The points of a part in a plane that lie least far and farthest in a direction. */
  across(bones: RegExp, at: Vector, normal: Vector, along: Vector): readonly [Vector, Vector] {
    const edges = this.edges.of(bones);
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
