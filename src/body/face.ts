import type { ShapeViews } from '../lookup/shape-file.js';
import type { BodyDimension } from './dimensions.js';
import { eyeVertices } from './regions.js';
import { type Skeleton, vectorAt } from './skeleton.js';
import { clamp, length, ramp, type Vector } from './vectors.js';

/** Largest move of a landmark, as a share of the length of the head. Faces that move farther look like nobody. */
const MOVE_MOST = 0.035;
/** Smallest and largest factor of a breadth of the face. The noses of the mesh are a quarter too broad. */
const BROADER = [0.86, 1.1] as const;
const NOSE = [0.7, 1.1] as const;
/** Eyes, nose and mouth have breadths of their own up to this share of the way to the side of the face. */
const INNER = 0.55;
/** Nose, lips and chin move forward up to this share of the way to the side of the face. */
const MIDDLE = 0.6;
/** The forehead has a breadth of its own this far around the temples, as a share of the length of the head. */
const FOREHEAD = 0.12;
/** Share of the way from the top of the head to the brow above which the skull keeps its form. */
const SKULL = 0.5;

/**
 * Moves the face of a fitted body, in its rest pose, towards the dimensions of the person: heights of eyes, nose and
 * mouth, breadths of face, eyes, nose and mouth, and how far nose, lips and chin lie in front. Each is a smooth function
 * of height, so the face keeps its features. Moves are bounded; what lies beyond is not met.
 *
 * @param points x, y, z of the vertices in the rest pose, mm; the face is changed in place
 * @param asked the known dimensions, mm
 */
export function shapeFace(
  { header: { landmarks } }: ShapeViews,
  skeleton: Skeleton,
  points: Float64Array,
  asked: ReadonlyMap<BodyDimension, number>,
): void {
  const { vertices, shares } = skeleton.movedBy(/^head$/);
  const mark = (name: string): Vector => vectorAt(points, landmarks[name]);
  const [, browY, browZ] = mark('glabella');
  let [top, back] = [-Infinity, Infinity];
  for (const vertex of vertices) {
    const [, y, z] = vectorAt(points, vertex);
    top = Math.max(top, y);
    if (Math.abs(y - browY) < 0.02 * (top - browY) + 4) back = Math.min(back, z);
  }
  const most = MOVE_MOST * (browZ - back);
  const mm = (name: BodyDimension): number => asked.get(name) ?? Number.NaN;
  /** A move along an axis to a place; none if the place is not known. Eyes, whose height counts, move farther. */
  const move = (name: string, axis: 1 | 2, to: number, times = 1): readonly [number, number] => {
    const by = to - mark(name)[axis];
    return [mark(name)[1], Number.isNaN(by) ? 0 : clamp(by, -times * most, times * most)];
  };
  /** A factor of a breadth. */
  const broader = (
    name: string,
    breadth: BodyDimension,
    limits = BROADER as readonly [number, number],
  ) => {
    const factor = mm(breadth) / (2 * mark(name)[0]);
    return [mark(name)[1], Number.isNaN(factor) ? 1 : clamp(factor, ...limits)] as const;
  };
  const [skull, chin] = [top - SKULL * (top - browY), mark('menton')[1]];
  const up = through([
    [skull, 0],
    move('ectocanthus_l', 1, top - mm('Stature') + mm('EyeHeight'), 2),
    move('pronasale', 1, top - mm('HeadToNoseTip')),
    move('stomion', 1, top - mm('TopOfHeadToStomion')),
    [chin, 0],
  ]);
  const ahead = through([
    [browY, 0],
    move('sellion', 2, back + mm('BackOfHeadToSelion')),
    move('pronasale', 2, back + mm('BackOfHeadToNoseTip')),
    move('stomion', 2, back + mm('BackOfHeadToLip')),
    move('pogonion', 2, back + mm('BackOfHeadToChin')),
    [chin, 0],
  ]);
  const outer = through([
    [top, 1],
    broader('zygion_l', 'FaceBreadth'),
    broader('gonion_l', 'JawWidth'),
    [chin - most, 1],
  ]);
  const inner = through([
    [skull, 1],
    broader('ectocanthus_l', 'Biocular'),
    broader('alare_l', 'NoseBreadth', NOSE),
    broader('cheilion_l', 'LipLength'),
    [chin, 1],
  ]);
  const [side, , sideZ] = mark('tragion_l');
  for (const vertex of vertices) {
    const at = 3 * vertex;
    const [x, y, z] = vectorAt(points, vertex);
    const aside = Math.abs(x) / side;
    const front = ramp((z - sideZ) / (browZ - sideZ));
    const own = ramp((aside - INNER) / (1 - INNER));
    const face = shares[vertex] * front;
    const factor = own * outer(y) + (1 - own) * inner(y);
    points[at] += (shares[vertex] * own + face * (1 - own)) * (factor - 1) * x;
    points[at + 1] += face * up(y);
    points[at + 2] += face * (1 - ramp(aside / MIDDLE)) * ahead(y);
  }
}

/** A smooth function of height through values at falling heights; it is constant above and below them. */
function through(knots: readonly (readonly [height: number, value: number])[]) {
  const sorted = knots.toSorted(([one], [other]) => other - one);
  return (height: number): number => {
    let [above, from] = sorted[0];
    for (const [below, to] of sorted) {
      if (height > below) return from + (to - from) * ramp((above - height) / (above - below));
      [above, from] = [below, to];
    }
    return from;
  };
}

/**
 * Makes the head longer at its rear, broader, and fuller between its side and its rear, where no length or breadth is
 * measured. Its girth grows by the integral of the bulge over the angle. In front of the ears, only the forehead becomes
 * broader.
 *
 * @param more by which share head and forehead become broader, and by how much length and girth grow, mm
 */
export function fillSkull(
  { header: { landmarks } }: ShapeViews,
  skeleton: Skeleton,
  points: Float64Array,
  more: {
    readonly breadthShare: number;
    readonly foreheadShare: number;
    readonly lengthMm: number;
    readonly girthMm: number;
  },
): void {
  const { vertices, shares } = skeleton.movedBy(/^head$/);
  const [, browY, browZ] = vectorAt(points, landmarks.glabella);
  const [, templeY, templeZ] = vectorAt(points, landmarks.frontotemporale_l);
  const [, , earZ] = vectorAt(points, landmarks.tragion_l);
  const back = Math.min(...[...vertices].map((vertex) => points[3 * vertex + 2]));
  const long = browZ - back;
  const middle = back + long / 2;
  const bulgeMm = (2 * more.girthMm) / Math.PI;
  for (const vertex of vertices) {
    const [x, y, z] = vectorAt(points, vertex);
    const near = shares[vertex] * Math.exp(-(((y - browY - 0.1 * long) / (0.3 * long)) ** 2));
    const forehead = shares[vertex] * Math.exp(-(((y - templeY) / (FOREHEAD * long)) ** 2));
    const front = ramp((z - earZ) / (templeZ - earZ));
    points[3 * vertex] +=
      ((1 - front) * near * more.breadthShare + front * forehead * more.foreheadShare) * x;
    if (z >= middle) continue;
    const angle = Math.atan2(x, middle - z);
    const by = near * bulgeMm * Math.sin(2 * angle) ** 2;
    points[3 * vertex] += by * Math.sin(angle);
    points[3 * vertex + 2] -=
      by * Math.cos(angle) + (near * more.lengthMm * (middle - z) * 2) / long;
  }
}

/** Lids and sockets keep this distance from the eyes, and give way up to the other, as shares of the size of an eye. */
const CLEAR = { least: 1.04, most: 1.25 } as const;

/** Moves lids and sockets out of the eyes, which are ellipsoids. Skin at a distance gives way, so that it keeps its folds. */
export function clearEyes(views: ShapeViews, skeleton: Skeleton, points: Float64Array): void {
  const eyes = eyeVertices(views);
  const { vertices } = skeleton.movedBy(/^head$/);
  for (const side of [-1, 1]) {
    const own = vertices.filter((vertex) => side * points[3 * vertex] > 0);
    const ball = [0, 1, 2].map((k) => {
      const values = Array.from(
        own.filter((vertex) => eyes[vertex] === 1),
        (vertex) => points[3 * vertex + k],
      );
      const [least, most] = [Math.min(...values), Math.max(...values)];
      return { middle: (least + most) / 2, half: (most - least) / 2 };
    });
    const placed = Array.from(own, (vertex) => {
      const far = ball.map(({ middle, half }, k) => (points[3 * vertex + k] - middle) / half);
      return { vertex, far, size: length(far as unknown as Vector), isEye: eyes[vertex] === 1 };
    });
    const nearest = Math.min(...placed.map(({ size, isEye }) => (isEye ? Infinity : size)));
    const give = Math.max(0, CLEAR.least - nearest) / (CLEAR.most - nearest);
    for (const { vertex, far, size, isEye } of placed) {
      if (!isEye && size >= CLEAR.most) continue;
      const to = isEye ? 1 : size + give * (CLEAR.most - size);
      ball.forEach(({ middle, half }, k) => {
        points[3 * vertex + k] = middle + (far[k] * half * to) / size;
      });
    }
  }
}
