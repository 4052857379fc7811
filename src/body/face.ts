import type { ShapeViews } from '../lookup/shape-file.js';
import type { Mesh } from './contact-map.js';
import type { BodyDimension } from './dimensions.js';
import { eyeVertices } from './regions.js';
import { type Skeleton, vectorAt } from './skeleton.js';
import { smooth } from './smoothing.js';
import { clamp, length, ramp, type Vector } from './vectors.js';

/** Largest move of a landmark, as a share of the height of the head. Faces that move farther look like nobody. */
const MOVE_MOST = 0.018;
/** Eyes, whose height counts, move by up to so much more. The nose goes part of the way with them. */
const EYES = { more: 4, withNose: 0.6 } as const;
/** Mouth and chin move forward or back by at most this, as a share of the height of the head. */
const FORWARD_MOST = 0.025;
/** Ears stand off by this share of the mesh's distance. Above their upper end, the change fades over a distance in mm. */
const EARS = { kept: 0.7, overMm: 8 } as const;
/** The lobes, which are the last share of the height of an ear, are smoothed so often because those of the mesh are blocks. */
const LOBES = { from: 0.35, beside: 0.97, rounds: 12 } as const;
/** Rise of the corners of the mouth, because the mesh looks sad, and of skin near them: shares of the height of the head. */
const CORNERS = { up: 0.011, around: 0.055 } as const;
/** The forehead gets its breadth this far around the temples, as a share of the height of the head. */
const FOREHEAD = 0.11;
/**
 * Forehead, cheekbones and jaw change their breadth by up to the first share. Eyes, nose and mouth have the second share of
 * the half breadth.
 */
const BROADER = { most: 0.08, inner: 0.55 } as const;

/**
 * Moves the face of a fitted body, in its rest pose, towards the heights of eyes and nose, the breadths of forehead,
 * cheekbones and jaw, and the depths of mouth and chin. Ears lie nearer to the head, because those of the mesh stand
 * off. Moves are smooth functions of height, so the face keeps its features. They are bounded; what lies beyond is not
 * met.
 *
 * @param points x, y, z of the vertices in the rest pose, mm; the face is changed in place
 * @param asked the known dimensions, mm
 */
export function shapeFace(
  mesh: Mesh,
  points: Float64Array,
  asked: ReadonlyMap<BodyDimension, number>,
): void {
  const { skeleton, views } = mesh;
  const { landmarks } = views.header;
  const { vertices, shares } = skeleton.movedBy(/^head$/);
  const mark = (name: string): Vector => vectorAt(points, landmarks[name]);
  const [, browY, browZ] = mark('glabella');
  const [, top] = mark('vertex');
  const [tragionX, , sideZ] = mark('tragion_l');
  const headMm = top - mark('menton')[1];
  const most = MOVE_MOST * headMm;
  const mm = (name: BodyDimension): number => asked.get(name) ?? Number.NaN;
  /** A move to a height, as near to another move as the limit says; that move if the height is not known. */
  const move = (name: string, to: number, near = 0, limit = most): readonly [number, number] => {
    const [, from] = mark(name);
    return [from, Number.isNaN(to) ? near : clamp(to - from, near - limit, near + limit)];
  };
  const eyes = move('ectocanthus_l', top - mm('Stature') + mm('EyeHeight'), 0, EYES.more * most);
  const up = through([
    [(top + browY) / 2, 0],
    eyes,
    move('pronasale', top - mm('HeadToNoseTip'), EYES.withNose * eyes[1]),
    [mark('stomion')[1], 0],
    [mark('menton')[1], 0],
  ]);
  let back = Infinity;
  for (const vertex of vertices) {
    if (shares[vertex] > 0.5) back = Math.min(back, points[3 * vertex + 2]);
  }
  const forwardMost = FORWARD_MOST * headMm;
  /** How far the face moves forward at a landmark. */
  const forward = (
    name: string,
    depth: BodyDimension,
    least: number,
  ): readonly [number, number] => {
    const [, y, z] = mark(name);
    return [y, clamp(mm(depth) - (z - back) || 0, least, forwardMost)];
  };
  const ahead = through([
    [mark('pronasale')[1], 0],
    forward('stomion', 'BackOfHeadToLip', -forwardMost),
    // A chin farther back would meet the tape around the neck.
    forward('pogonion', 'BackOfHeadToChin', 0),
  ]);
  const [earX] = mark('preaurale_l');
  const [, earTop] = mark('superaurale_l');
  const [, earEnd] = mark('subaurale_l');
  const lobes = [...vertices].filter((vertex) => {
    const [x, y, z] = vectorAt(points, vertex);
    const height = (y - earEnd) / (earTop - earEnd);
    return (
      Math.abs(x) > LOBES.beside * tragionX &&
      z < sideZ &&
      height < LOBES.from &&
      height > -LOBES.from
    );
  });
  for (let round = 0; round < LOBES.rounds; round++) smooth(mesh, lobes, points);
  const [cornerX, cornerY] = mark('cheilion_l');
  /** By which share the face becomes broader at a landmark. */
  const broader = (name: string, breadth: BodyDimension): readonly [number, number] => {
    const [x, y] = mark(name);
    return [y, clamp(mm(breadth) / (2 * x) - 1 || 0, -BROADER.most, BROADER.most)];
  };
  const [templeY, forehead] = broader('frontotemporale_l', 'ForeheadWidth');
  const [jawY, jaw] = broader('gonion_l', 'JawWidth');
  const sides = through([
    [browY, 0],
    broader('zygion_l', 'FaceBreadth'),
    // The jaw does not become broader: the tape around a short neck may touch it.
    [jawY, Math.min(0, jaw)],
  ]);
  const [sideX] = mark('tragion_l');
  const [, , templeZ] = mark('frontotemporale_l');
  for (const vertex of vertices) {
    const [x, y, z] = vectorAt(points, vertex);
    const far = Math.hypot(Math.abs(x) - cornerX, y - cornerY) / (CORNERS.around * headMm);
    const rise = CORNERS.up * headMm * Math.exp(-far * far);
    const aside = Math.exp(-(((y - templeY) / (FOREHEAD * headMm)) ** 2));
    const ofTemple = ramp((z - sideZ) / (templeZ - sideZ)) * aside * forehead;
    const ofSide = ramp((Math.abs(x) / sideX - BROADER.inner) / (1 - BROADER.inner)) * sides(y);
    const face = shares[vertex] * ramp((z - sideZ) / (browZ - sideZ));
    const off = Math.max(0, Math.abs(x) - earX) * ramp((earTop + EARS.overMm - y) / EARS.overMm);
    const flatter = shares[vertex] * (1 - EARS.kept) * off * Math.sign(x);
    points[3 * vertex] += shares[vertex] * (ofTemple + ofSide) * x - flatter;
    points[3 * vertex + 1] += face * (up(y) + rise);
    points[3 * vertex + 2] += face * ahead(y);
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
