import type { ShapeViews } from '../lookup/shape-file.js';
import { factor, substitute } from './cholesky.js';
import type { BodyDimension } from './dimensions.js';
import { eyeVertices } from './regions.js';
import { type Skeleton, vectorAt } from './skeleton.js';
import { length, minus, sum, times, type Vector } from './vectors.js';

/** A point of the surface, and how far it moves along an axis, mm. */
interface Control {
  readonly at: Vector;
  readonly byMm: number;
}

/** A landmark moves the skin within this distance, as a share of the length of the head. */
const RADIUS = 0.33;
/**
 * The largest move, as a share of the length of the head: dimensions that contradict each other leave a face. Faces of
 * young children are hardly measured and follow from those of older people, so their moves are smaller.
 */
const MOVE_MOST = { young: 0.05, old: 0.16, youngTo: 3, oldFrom: 10 } as const;
/** The part of the head above which the skull keeps its form, as a share of the way from the top to the tragion. */
const SKULL = 0.3;
/** The back of the head keeps its form up to here, as a share of the length of the head. */
const BEHIND = 0.72;
/** Number of points that hold each half of the skull, and of points on the lids of an eye. */
const STILL = 24;
/** The skin within this distance of the tragion moves with the ear, as a share of the length of the head. */
const EAR = 0.3;
const LIDS = 8;
const MIDDLE_MM = 0.1;

/**
 * Moves the face of a fitted body, in its rest pose, until its landmarks lie where the dimensions say. Between the
 * landmarks the skin moves by radial basis functions: one bell for each landmark, with heights that meet all of them.
 * The skull keeps its form, and the eyeballs move as rigid parts.
 *
 * @param points x, y, z of the vertices in the rest pose, mm; the face is changed in place
 * @param asked the known dimensions, mm
 */
export function shapeFace(
  views: ShapeViews,
  skeleton: Skeleton,
  points: Float64Array,
  asked: ReadonlyMap<BodyDimension, number>,
  ageYears: number,
): void {
  const { landmarks } = views.header;
  const { vertices, shares } = skeleton.movedBy(/^head$/);
  const mark = (name: string): Vector => vectorAt(points, landmarks[name]);
  const skin = [...vertices].map((vertex) => vectorAt(points, vertex));
  const level = mark('glabella')[1];
  const top = Math.max(...skin.map(([, y]) => y));
  const beside = skin.filter(([, y]) => Math.abs(y - level) < 0.02 * (top - level) + 4);
  const back = Math.min(...beside.map(([, , z]) => z));
  const long = mark('glabella')[2] - back;
  const controls: [Control[], Control[], Control[]] = [[], [], []];
  const { young, old, youngTo, oldFrom } = MOVE_MOST;
  const grown = Math.min(Math.max((ageYears - youngTo) / (oldFrom - youngTo), 0), 1);
  const most = (young + (old - young) * grown) * long;
  /** A point moves along an axis, and its mirror image with it. */
  const put = (at: Vector, axis: 0 | 1 | 2, byMm: number): void => {
    controls[axis].push({ at, byMm });
    if (Math.abs(at[0]) < MIDDLE_MM) return;
    controls[axis].push({ at: mirrored(at), byMm: axis === 0 ? -byMm : byMm });
  };
  const move = (name: string, axis: 0 | 1 | 2, to: number | undefined): number => {
    if (to === undefined) return 0;
    const byMm = Math.min(Math.max(to - mark(name)[axis], -most), most);
    put(mark(name), axis, byMm);
    return byMm;
  };
  const mm = (name: BodyDimension): number | undefined => asked.get(name);
  const half = (name: BodyDimension) => {
    const whole = mm(name);
    return whole === undefined ? undefined : whole / 2;
  };
  const below = (name: BodyDimension) => {
    const down = asked.get(name);
    return down === undefined ? undefined : top - down;
  };
  const ahead = (name: BodyDimension) => {
    const forward = mm(name);
    return forward === undefined ? undefined : back + forward;
  };
  const temple = asked.get('ForeheadWidth');
  if (temple !== undefined) move('frontotemporale_l', 0, temple / 2);
  move('zygion_l', 0, half('FaceBreadth'));
  move('gonion_l', 0, half('JawWidth'));
  move('alare_l', 0, half('NoseBreadth'));
  move('cheilion_l', 0, half('LipLength'));
  const [stature, eye] = [asked.get('Stature'), asked.get('EyeHeight')];
  const eyeY = stature === undefined || eye === undefined ? undefined : top - (stature - eye);
  const eyes = eyeVertices(views);
  const ball = middleOf(skin.filter(([x], i) => eyes[vertices[i]] === 1 && x > 0));
  const corner = mark('ectocanthus_l');
  const biocular = half('Biocular');
  const size = biocular === undefined ? 1 : biocular / corner[0];
  const eyeTo: Vector = [
    size * corner[0],
    eyeY ?? corner[1],
    ahead('BackOfHeadToEye') ?? corner[2],
  ];
  /** Where a point of the left eye or its lids moves: the eye keeps its form. */
  const withEye = (at: Vector): Vector => sum(eyeTo, times(minus(at, corner), size));
  const lids = skin.filter((at) => length(minus(at, ball)) < 1.25 * length(minus(corner, ball)));
  for (const at of [corner, ...spread(lids, LIDS)]) {
    const to = withEye(at);
    for (const axis of [0, 1, 2] as const) put(at, axis, to[axis] - at[axis]);
  }
  move('glabella', 1, below('HeadToGlabella'));
  move('glabella', 2, mark('glabella')[2]);
  const sellion = sum(mark('sellion'), [0, eyeTo[1] - corner[1], 0]);
  move('sellion', 1, sellion[1]);
  move('sellion', 2, ahead('BackOfHeadToSelion'));
  const nose = mm('NoseLength');
  if (nose !== undefined) {
    const way = minus(mark('subnasale'), mark('sellion'));
    move('subnasale', 1, sellion[1] + (nose * way[1]) / length(way));
  }
  move('pronasale', 1, below('HeadToNoseTip'));
  move('pronasale', 2, ahead('BackOfHeadToNoseTip'));
  // The corners of the mouth move with its middle.
  const mouthY = move('stomion', 1, below('TopOfHeadToStomion'));
  move('cheilion_l', 1, mark('cheilion_l')[1] + mouthY);
  move('menton', 1, mark('menton')[1]);
  const mouthZ = move('stomion', 2, ahead('BackOfHeadToLip'));
  move('cheilion_l', 2, mark('cheilion_l')[2] + mouthZ);
  move('pogonion', 2, ahead('BackOfHeadToChin'));
  const tragion = mark('tragion_l');
  const ear: Vector = [
    move('tragion_l', 0, half('BitragionWidth')),
    move('tragion_l', 1, below('HeadToTragion')),
    move('tragion_l', 2, ahead('BackOfHeadToTragion')),
  ];
  for (const [one, other, name] of [
    ['superaurale_l', 'subaurale_l', 'EarLength'],
    ['preaurale_l', 'postaurale_l', 'EarBreadth'],
  ] as const) {
    const whole = mm(name);
    const factor = whole === undefined ? 1 : whole / length(minus(mark(one), mark(other)));
    for (const end of [one, other]) {
      const from = mark(end);
      const to = sum(sum(tragion, ear), times(minus(from, tragion), factor));
      for (const axis of [0, 1, 2] as const) move(end, axis, to[axis]);
    }
  }
  // The skull stays.
  const skullFrom = top - SKULL * (top - tragion[1]);
  const isSkull = ([x, y, z]: Vector) =>
    x > 0 && (y > skullFrom || (y > tragion[1] && z < back + BEHIND * long));
  const skull = skin.filter((at) => isSkull(at) && length(minus(at, tragion)) > EAR * long);
  for (const at of spread(skull, STILL)) for (const axis of [0, 1, 2] as const) put(at, axis, 0);
  const fields = controls.map((own) => field(own, RADIUS * long));
  vertices.forEach((vertex, i) => {
    const at = skin[i];
    let by: Vector;
    if (eyes[vertex] === 0) by = fields.map((of) => of(at)) as unknown as Vector;
    else if (at[0] > 0) by = minus(withEye(at), at);
    else by = mirrored(minus(withEye(mirrored(at)), mirrored(at)));
    for (let k = 0; k < 3; k++) points[3 * vertex + k] += shares[vertex] * by[k];
  });
}

/**
 * Makes the head broader, and fuller between its side and its rear, where no length or breadth is measured. Its girth
 * grows by the integral of the bulge over the angle.
 *
 * @param more by which share the head becomes broader, and by how much its girth grows besides, mm
 */
export function fillSkull(
  views: ShapeViews,
  skeleton: Skeleton,
  points: Float64Array,
  more: { readonly breadthShare: number; readonly girthMm: number },
): void {
  const { vertices, shares } = skeleton.movedBy(/^head$/);
  const brow = vectorAt(points, views.header.landmarks.glabella);
  const back = Math.min(...[...vertices].map((vertex) => points[3 * vertex + 2]));
  const long = brow[2] - back;
  const middle = back + long / 2;
  const bulgeMm = (2 * more.girthMm) / Math.PI;
  vertices.forEach((vertex) => {
    const [x, y, z] = vectorAt(points, vertex);
    const far = (y - brow[1] - 0.1 * long) / (0.3 * long);
    const near = shares[vertex] * Math.exp(-far * far);
    points[3 * vertex] += near * more.breadthShare * x;
    if (z >= middle) return;
    const angle = Math.atan2(x, middle - z);
    const by = near * bulgeMm * Math.sin(2 * angle) ** 2;
    points[3 * vertex] += by * Math.sin(angle);
    points[3 * vertex + 2] -= by * Math.cos(angle);
  });
}

const mirrored = ([x, y, z]: Vector): Vector => [-x, y, z];

function middleOf(points: readonly Vector[]): Vector {
  const total = points.reduce((one, other) => sum(one, other), [0, 0, 0] as Vector);
  return times(total, 1 / points.length);
}

/** A number of points, as far apart as they can be. */
function spread(points: readonly Vector[], count: number): Vector[] {
  const far = points.map(() => Infinity);
  const found: Vector[] = [];
  let next = points[0];
  while (next !== undefined && found.length < count) {
    const at = next;
    found.push(at);
    points.forEach((point, i) => {
      far[i] = Math.min(far[i], length(minus(point, at)));
    });
    next = points[far.indexOf(Math.max(...far))];
  }
  return found;
}

/** The smooth function of place that has given values at some points, by the kernel of Wendland 1995 (C2, 3-D). */
function field(controls: readonly Control[], radius: number): (at: Vector) => number {
  const n = controls.length;
  const places = Float64Array.from(controls.flatMap(({ at }) => at));
  // Plain numbers, because vectors would fill the heap.
  const bell = (i: number, x: number, y: number, z: number): number => {
    const dx = x - places[3 * i];
    const dy = y - places[3 * i + 1];
    const dz = z - places[3 * i + 2];
    const square = (dx * dx + dy * dy + dz * dz) / (radius * radius);
    if (square >= 1) return 0;
    const far = Math.sqrt(square);
    const left = (1 - far) * (1 - far);
    return left * left * (4 * far + 1);
  };
  const matrix = new Float64Array(n * n);
  controls.forEach(({ at: [x, y, z] }, i) => {
    for (let j = 0; j <= i; j++) matrix[i * n + j] = bell(j, x, y, z) + (i === j ? 1e-4 : 0);
  });
  const heights = Float64Array.from(controls, ({ byMm }) => byMm);
  factor(matrix, n);
  substitute(matrix, n, heights);
  return ([x, y, z]) => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += heights[i] * bell(i, x, y, z);
    return sum;
  };
}
