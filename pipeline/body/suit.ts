import { type BodyTables, trianglesOf } from './read-tables.js';

/** A corner of a triangle: a point of the body, and its place in textures. */
export interface Corner {
  readonly point: number;
  readonly u: number;
  readonly v: number;
}

/** The materials of the body. The eyes with their irises are shells of their own. */
export const MATERIALS = ['skin', 'suit', 'eyes', 'iris'] as const;

/** Three corners of each triangle, by material. They are numbers of `Suited.corners`. */
export type Materials = Readonly<Record<(typeof MATERIALS)[number], number[]>>;

/** The triangles of the body by material, and the vertices that the hems add. */
export interface Suited extends Materials {
  /** Corners of one point have different numbers where a seam of the texture passes it. */
  readonly corners: readonly Corner[];
  /**
   * Vertices that the hems add. Their numbers follow those of the body. Each lies on an edge, at `share` of
   * the way from `from` to `to`.
   */
  readonly hem: readonly (readonly [from: number, to: number, share: number])[];
}

/**
 * Places of the hems: `SLEEVE` is a share of the upper arm from the shoulder, `LEG` a share of the thigh
 * from the hip.
 */
const SLEEVE = 0.52;
const LEG = 0.4;
/**
 * Plane of the neckline on the base mesh: its distance above the joint of the neck in mm, and its forward
 * tilt.
 */
const NECK = { upMm: 14, tilt: 0.4 };
/** A hem that passes a vertex at less than this share of an edge is moved to the vertex. */
const SNAP = 0.08;

/** The cap begins this far above the hairline and the ears, mm. */
const CAP_UP_MM = { front: 4, ears: 5 } as const;
/** Radius of the iris, mm. The eyes of the base mesh are larger than those of people. */
const IRIS_MM = 6.5;

/**
 * Cuts the triangles of the body along the hems of a plain suit with a collar, two sleeves, two legs and a cap,
 * as people wear it in body scanners, and those of the eyes along the irises. The hems are planes across limbs,
 * neck and head of the base mesh. Triangles on a hem are cut, so that the hem is a clean line.
 *
 * @param vertices number of vertices of body and eyes
 */
export function cutSuit(tables: BodyTables, vertices: number): Suited {
  const suited = { skin: [], suit: [], eyes: [], iris: [] } as Materials;
  const [suit, cap] = [suitField(tables), capField(tables)];
  const { field: iris, rim } = irisField(tables);
  const hem: [number, number, number][] = [];
  const cuts = new Map<string, number>();
  const corners: Corner[] = [];
  const known = new Map<string, number>();
  const cornerOf = (point: number, u: number, v: number): number => {
    const key = `${point} ${u} ${v}`;
    const number = known.get(key) ?? corners.length;
    if (number === corners.length) corners.push({ point, u, v });
    known.set(key, number);
    return number;
  };
  const cut = (one: Corner, other: Corner, field: Float64Array): number => {
    const [from, to] = one.point < other.point ? [one, other] : [other, one];
    const [a, b] = [field[from.point], field[to.point]];
    const share = field === iris ? rim(from.point, to.point) : a / (a - b);
    const key = `${from.point} ${to.point}`;
    const point = cuts.get(key) ?? vertices + hem.length;
    if (point === vertices + hem.length) hem.push([from.point, to.point, share]);
    cuts.set(key, point);
    const between = (k: 'u' | 'v') => from[k] + share * (to[k] - from[k]);
    return cornerOf(point, between('u'), between('v'));
  };
  for (const { part, corners: points, uvs } of tables.faces) {
    const numbers = points.map((point, i) => cornerOf(point, uvs[2 * i], uvs[2 * i + 1]));
    for (const triangle of trianglesOf(numbers)) {
      const at = (number: number): Corner => corners[number];
      const isSuit = triangle.some((number) => suit[at(number).point] > 0);
      const field = part === 'eye' ? iris : isSuit ? suit : cap;
      cutTriangle(
        triangle,
        (number) => field[at(number).point],
        (a, b) => cut(at(a), at(b), field),
        part === 'eye' ? [suited.iris, suited.eyes] : [suited.suit, suited.skin],
      );
    }
  }
  return { ...suited, corners, hem };
}

/** Adds a triangle to the material inside a hem or to that outside. If the hem crosses the triangle, its pieces are added. */
function cutTriangle(
  triangle: readonly number[],
  field: (corner: number) => number,
  cut: (a: number, b: number) => number,
  [inside, outside]: readonly [number[], number[]],
): void {
  const sides = triangle.map((corner) => Math.sign(field(corner)));
  const least = Math.min(...sides);
  const most = Math.max(...sides);
  if (least >= 0 || most <= 0) {
    (most > 0 ? inside : outside).push(...triangle);
    return;
  }
  // The triangle is turned so that its first corner is alone on its side of the hem, or lies on the hem.
  const zero = sides.indexOf(0);
  const alone =
    zero >= 0 ? zero : sides.findIndex((side) => sides.filter((s) => s === side).length === 1);
  const [p = 0, q = 0, r = 0] = [0, 1, 2].map((i) => triangle[(alone + i) % 3]);
  if (zero >= 0) {
    const middle = cut(q, r);
    (field(q) > 0 ? inside : outside).push(p, q, middle);
    (field(r) > 0 ? inside : outside).push(p, middle, r);
    return;
  }
  const [pq, pr] = [cut(p, q), cut(p, r)];
  const [own, other] = field(p) > 0 ? [inside, outside] : [outside, inside];
  own.push(p, pq, pr);
  other.push(pq, q, r, pq, r, pr);
}

/**
 * Returns how far each vertex of the body lies inside the suit, in mm. The distance is 0 on a hem and
 * negative outside.
 */
function suitField(tables: BodyTables): Float64Array {
  const { positions, bones, influences, parts } = tables;
  const at = (point: number): number[] => [0, 1, 2].map((k) => positions[3 * point + k]);
  const bone = (name: string) => bones.find((b) => b.name === name) ?? fail(name);
  const planes = (['l', 'r'] as const).flatMap((side) => [
    limbPlane(at(bone(`upperarm_${side}`).head), at(bone(`lowerarm_${side}`).head), SLEEVE),
    limbPlane(at(bone(`thigh_${side}`).head), at(bone(`calf_${side}`).head), LEG),
  ]);
  const [leftArm, leftLeg, rightArm, rightLeg] = planes as [Plane, Plane, Plane, Plane];
  const neck = at(bone('neck_01').head);
  const collar = (p: readonly number[]): number => {
    const [, y = 0, z = 0] = p.map((mm, k) => mm - neck[k]);
    return NECK.upMm - y - NECK.tilt * z;
  };
  const field = Float64Array.from(parts, (part, point) => {
    if (part !== 'body') return 1;
    const main = influences[point]?.[0]?.[0] ?? '';
    const p = at(point);
    if (/^(index|middle|ring|pinky|thumb|hand|lowerarm|calf|foot|ball)/.test(main)) return -100;
    if (main === 'head') return -100;
    if (main === 'upperarm_l') return leftArm(p);
    if (main === 'upperarm_r') return rightArm(p);
    if (main === 'thigh_l') return leftLeg(p);
    if (main === 'thigh_r') return rightLeg(p);
    return Math.min(100, collar(p));
  });
  return snapped(tables, field);
}

/**
 * Returns how far each vertex of the body lies inside the cap, in mm. Its edge is a plane through the hairline and
 * above both ears.
 */
function capField(tables: BodyTables): Float64Array {
  const { positions, influences, landmarks, parts } = tables;
  const at = (point = 0, axis = 1): number => positions[3 * point + axis];
  const { trichion, superaurale_l: ear } = landmarks;
  const [frontY, sideY] = [at(trichion) + CAP_UP_MM.front, at(ear) + CAP_UP_MM.ears];
  const slope = (frontY - sideY) / (at(trichion, 2) - at(ear, 2));
  const field = Float64Array.from(parts, (part, point) =>
    part === 'body' && influences[point]?.[0]?.[0] === 'head'
      ? at(point) - sideY - slope * (at(point, 2) - at(ear, 2))
      : -100,
  );
  return snapped(tables, field);
}

/**
 * Returns how far each vertex of an eye lies inside the iris, which is at the front, in mm, and where the rim of the
 * iris, a circle seen from the front, meets an edge.
 */
function irisField({ positions, parts }: BodyTables) {
  const field = new Float64Array(parts.length).fill(-1);
  const places = new Map<number, readonly number[]>();
  for (const side of [-1, 1]) {
    const own = parts.flatMap((part, point) =>
      part === 'eye' && side * positions[3 * point] > 0 ? [point] : [],
    );
    const middle = [0, 1, 2].map(
      (k) => own.reduce((sum, point) => sum + positions[3 * point + k], 0) / own.length,
    );
    for (const point of own) {
      const [x = 0, y = 0, z = 0] = middle.map((mm, k) => positions[3 * point + k] - mm);
      places.set(point, [x, y]);
      if (z > 0) field[point] = IRIS_MM - Math.hypot(x, y);
    }
  }
  const rim = (from: number, to: number): number => {
    const [[x = 0, y = 0], [u = 0, v = 0]] = [from, to].map((point) => places.get(point) ?? []) as [
      readonly number[],
      readonly number[],
    ];
    const [dx, dy] = [u - x, v - y];
    const [square, half] = [dx * dx + dy * dy, x * dx + y * dy];
    const root = Math.sqrt(half * half - square * (x * x + y * y - IRIS_MM * IRIS_MM));
    return (field[from] > 0 ? root - half : -root - half) / square;
  };
  return { field, rim };
}

const fail = (name: string): never => {
  throw new Error(`The skeleton has no bone ${name}.`);
};

type Plane = (point: readonly number[]) => number;

/** Signed distance to a plane across a limb. It is positive on the side where the limb starts. */
function limbPlane(from: readonly number[], to: readonly number[], share: number): Plane {
  const axis = to.map((mm, k) => mm - from[k]);
  const length = Math.hypot(...axis);
  return (point) => {
    const along = point.reduce((sum, mm, k) => sum + ((mm - from[k]) * axis[k]) / length, 0);
    return share * length - along;
  };
}

/** A field whose hem passes through the vertices that it nearly passes, so that no thin triangles arise. */
function snapped({ faces }: BodyTables, field: Float64Array): Float64Array {
  const near = new Set<number>();
  for (const { part, corners } of faces) {
    if (part !== 'body') continue;
    corners.forEach((a, i) => {
      for (const b of [corners[(i + 1) % 4], corners[(i + 2) % 4]]) {
        const [fa, fb] = [field[a], field[b]];
        if (fa * fb >= 0) continue;
        const share = fa / (fa - fb);
        if (share < SNAP) near.add(a);
        else if (share > 1 - SNAP) near.add(b);
      }
    });
  }
  for (const vertex of near) field[vertex] = 0;
  return field;
}
