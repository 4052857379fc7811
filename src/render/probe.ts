import { greatest, least } from 'd3-array';
import { edgesWithin, skinTriangles } from '../body/regions.js';
import { farthest, type Posed, type Skeleton, vectorAt } from '../body/skeleton.js';
import { heightOfBack, type SlicePoint, sliceOf } from '../body/slice.js';
import { dot, times, type Vector } from '../body/vectors.js';
import type { ShapeViews } from '../lookup/shape-file.js';

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
    return skeleton.once(`edges of ${bones.source}`, () => {
      const matches = skeleton.names.map((name) => bones.test(name));
      const skin = triangles.subarray(0, 3 * skinTriangles(header.materials));
      return edgesWithin(skin, (vertex) => matches[skinBone[4 * vertex]] === true);
    });
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
  lowest(direction: Vector): Vector {
    const { vertices } = this;
    const all = Array.from({ length: vertices.length / 3 }, (_, vertex) => vertex);
    return vectorAt(vertices, farthest(all, vertices, times(direction, -1)));
  }

  /** The accepted vertex of a part that lies farthest in a direction. */
  far(bones: RegExp, direction: Vector, accepts?: (point: Vector) => boolean): Vector {
    const best = farthest(this.edges(bones), this.vertices, direction, accepts);
    return best < 0 ? [0, 0, 0] : vectorAt(this.vertices, best);
  }

  /** The height at which a part reaches farthest back between two heights, by the method of the tape. */
  heightOfBack(bones: RegExp, least: number, most: number): number {
    return heightOfBack(this.vertices, new Set(this.edges(bones)), least, most).heightMm;
  }

  /** The points of a part in a plane that lie least far and farthest in a direction. */
  across(bones: RegExp, at: Vector, normal: Vector, along: Vector): readonly [Vector, Vector] {
    const edges = this.edges(bones);
    const { vertices } = this;
    const part = { edges, vertices: edges, cuts: [] };
    const { points } = sliceOf(part, vertices, normal, dot(at, normal));
    const way = (point: SlicePoint): number => dot(point.at, along);
    return [least(points, way)?.at ?? at, greatest(points, way)?.at ?? at];
  }
}
