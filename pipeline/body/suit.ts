import { type BodyTables, trianglesOf } from './read-tables.js';

/** The triangles of the body by material, and the vertices that the hems add. */
export interface Suited {
  readonly skin: number[];
  readonly suit: number[];
  readonly eyes: number[];
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

/**
 * Cuts the triangles of the body along the hems of a plain suit with a collar, two sleeves and two legs.
 * The hems are planes across the limbs of the base mesh. Triangles on a hem are cut, so that the hem is a
 * clean line.
 *
 * @param vertices number of vertices of body and eyes
 */
export function cutSuit(tables: BodyTables, vertices: number): Suited {
  const inside = suitField(tables);
  const suited = { skin: [] as number[], suit: [] as number[], eyes: [] as number[] };
  const hem: [number, number, number][] = [];
  const cuts = new Map<string, number>();
  const field = (vertex: number): number => inside[vertex] as number;
  const cut = (a: number, b: number): number => {
    const [from, to] = a < b ? [a, b] : [b, a];
    const key = `${from} ${to}`;
    const known = cuts.get(key);
    if (known !== undefined) return known;
    const share = field(from) / (field(from) - field(to));
    cuts.set(key, vertices + hem.length);
    hem.push([from, to, share]);
    return vertices + hem.length - 1;
  };
  for (const { part, corners } of tables.faces) {
    for (const triangle of trianglesOf(corners)) {
      if (part === 'eye') {
        suited.eyes.push(...triangle);
        continue;
      }
      cutTriangle(triangle, field, cut, suited);
    }
  }
  return { ...suited, hem };
}

/** Adds a triangle to the suit or the skin. If a hem crosses the triangle, its pieces are added. */
function cutTriangle(
  triangle: readonly number[],
  field: (vertex: number) => number,
  cut: (a: number, b: number) => number,
  { skin, suit }: { skin: number[]; suit: number[] },
): void {
  const sides = triangle.map((vertex) => Math.sign(field(vertex)));
  const least = Math.min(...sides);
  const most = Math.max(...sides);
  if (least >= 0 || most <= 0) {
    (most > 0 ? suit : skin).push(...triangle);
    return;
  }
  // The triangle is turned so that its first vertex is alone on its side of the hem, or lies on the hem.
  const zero = sides.indexOf(0);
  const alone =
    zero >= 0 ? zero : sides.findIndex((side) => sides.filter((s) => s === side).length === 1);
  const [p = 0, q = 0, r = 0] = [0, 1, 2].map((i) => triangle[(alone + i) % 3] as number);
  if (zero >= 0) {
    const middle = cut(q, r);
    (field(q) > 0 ? suit : skin).push(p, q, middle);
    (field(r) > 0 ? suit : skin).push(p, middle, r);
    return;
  }
  const [pq, pr] = [cut(p, q), cut(p, r)];
  const [own, other] = field(p) > 0 ? [suit, skin] : [skin, suit];
  own.push(p, pq, pr);
  other.push(pq, q, r, pq, r, pr);
}

/**
 * Returns how far each vertex of the body lies inside the suit, in mm. The distance is 0 on a hem and
 * negative outside.
 */
function suitField(tables: BodyTables): Float64Array {
  const { positions, bones, influences, parts } = tables;
  const at = (point: number): number[] => [0, 1, 2].map((k) => positions[3 * point + k] as number);
  const bone = (name: string) => bones.find((b) => b.name === name) ?? fail(name);
  const planes = (['l', 'r'] as const).flatMap((side) => [
    limbPlane(at(bone(`upperarm_${side}`).head), at(bone(`lowerarm_${side}`).head), SLEEVE),
    limbPlane(at(bone(`thigh_${side}`).head), at(bone(`calf_${side}`).head), LEG),
  ]);
  const [leftArm, leftLeg, rightArm, rightLeg] = planes as [Plane, Plane, Plane, Plane];
  const neck = at(bone('neck_01').head);
  const collar = (p: readonly number[]): number => {
    const [, y = 0, z = 0] = p.map((mm, k) => mm - (neck[k] as number));
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
  snap(tables, field);
  return field;
}

const fail = (name: string): never => {
  throw new Error(`The skeleton has no bone ${name}.`);
};

type Plane = (point: readonly number[]) => number;

/** Signed distance to a plane across a limb. It is positive on the side where the limb starts. */
function limbPlane(from: readonly number[], to: readonly number[], share: number): Plane {
  const axis = to.map((mm, k) => mm - (from[k] as number));
  const length = Math.hypot(...axis);
  return (point) => {
    const along = point.reduce(
      (sum, mm, k) => sum + ((mm - (from[k] as number)) * (axis[k] as number)) / length,
      0,
    );
    return share * length - along;
  };
}

/** Moves the hem onto vertices that it nearly passes, so that no thin triangles arise. */
function snap({ faces }: BodyTables, field: Float64Array): void {
  const near = new Set<number>();
  for (const { part, corners } of faces) {
    if (part !== 'body') continue;
    corners.forEach((a, i) => {
      for (const b of [corners[(i + 1) % 4] as number, corners[(i + 2) % 4] as number]) {
        const [fa, fb] = [field[a] as number, field[b] as number];
        if (fa * fb >= 0) continue;
        const share = fa / (fa - fb);
        if (share < SNAP) near.add(a);
        else if (share > 1 - SNAP) near.add(b);
      }
    });
  }
  for (const vertex of near) field[vertex] = 0;
}
