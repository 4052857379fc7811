/** x, y, z. */
export type Vector = readonly [number, number, number];
/** Nine numbers, row by row. */
export type Rotation = readonly number[];

export const sum = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const times = (a: Vector, k: number): Vector => [a[0] * k, a[1] * k, a[2] * k];
export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
// `Math.hypot` is avoided, because it allocates memory in the hottest loops of the fit.
export const length = (a: Vector): number => Math.sqrt(dot(a, a));
export const unit = (a: Vector): Vector => times(a, 1 / (length(a) || 1));
/** The point between a and b at a share of the way. */
export const between = (a: Vector, b: Vector, share: number): Vector =>
  sum(times(a, 1 - share), times(b, share));

export function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** The part of a vector that is perpendicular to a unit vector, with length 1. */
export function across(a: Vector, axis: Vector): Vector {
  return unit(minus(a, times(axis, dot(a, axis))));
}

/** Where a point lies along an axis, from 0 at its start to 1 at its end, and the way to the point from there. */
export function fromAxis(point: Vector, start: Vector, end: Vector) {
  const [axis, arm] = [minus(end, start), minus(point, start)];
  const way = dot(arm, axis) / dot(axis, axis);
  return { way, out: minus(arm, times(axis, way)) };
}

export function turn(r: Rotation, a: Vector): Vector {
  const [r0 = 0, r1 = 0, r2 = 0, r3 = 0, r4 = 0, r5 = 0, r6 = 0, r7 = 0, r8 = 0] = r;
  return [
    r0 * a[0] + r1 * a[1] + r2 * a[2],
    r3 * a[0] + r4 * a[1] + r5 * a[2],
    r6 * a[0] + r7 * a[1] + r8 * a[2],
  ];
}

/** The rotation that turns first by b, then by a. */
export function compose(a: Rotation, b: Rotation): Rotation {
  const rows = [0, 3, 6].map((row) => a.slice(row, row + 3) as unknown as Vector);
  const columns = [0, 1, 2].map((k): Vector => [b[k] ?? 0, b[k + 3] ?? 0, b[k + 6] ?? 0]);
  return rows.flatMap((row) => columns.map((column) => dot(row, column)));
}

/** The rotation about a unit axis by an angle in radians (Rodrigues). */
export function about([x, y, z]: Vector, angle: number): Rotation {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const k = 1 - c;
  return [
    c + k * x * x,
    k * x * y - s * z,
    k * x * z + s * y,
    k * y * x + s * z,
    c + k * y * y,
    k * y * z - s * x,
    k * z * x - s * y,
    k * z * y + s * x,
    c + k * z * z,
  ];
}

/** The shortest rotation from the direction of a to the direction of b, or as far as an angle in radians. */
export function rotationBetween(a: Vector, b: Vector, most = Math.PI): Rotation {
  const [from, to] = [unit(a), unit(b)];
  const axis = cross(from, to);
  const sine = length(axis);
  const angle = Math.min(most, Math.atan2(sine, dot(from, to)));
  return about(sine > 0 ? times(axis, 1 / sine) : [1, 0, 0], angle);
}

/** The angle in radians from a to b about a unit axis. Both vectors are perpendicular to the axis. */
export function angleAbout(axis: Vector, a: Vector, b: Vector): number {
  return Math.atan2(dot(cross(a, b), axis), dot(a, b));
}

export const clamp = (x: number, least: number, most: number): number =>
  Math.min(Math.max(x, least), most);

/** x where it is much larger than a width, 0 where it is much smaller than 0, and smooth between. */
export const softly = (x: number, width: number): number =>
  0.5 * (x + Math.sqrt(x * x + width * width));

/** 0 below 0, 1 above 1, and smooth between. */
export const ramp = (x: number): number => {
  const t = clamp(x, 0, 1);
  return t * t * (3 - 2 * t);
};

/** Directions in which elbows and knees of the left side bend: x forward, y to the left, z up. */
export const ELBOW_TO: Vector = [-0.2, 0.35, -1];
export const KNEE_TO: Vector = [0.4, 0, 1];

/**
 * Two bones from a joint toward a place: the joint between them, and the end. The middle joint lies in the direction
 * `toward`. Bones that are too short are straight.
 */
export function twoBones(
  from: Vector,
  to: Vector,
  one: number,
  other: number,
  toward: Vector,
): readonly [middle: Vector, end: Vector] {
  const way = minus(to, from);
  const far = length(way);
  const direction = unit(way);
  if (far >= one + other) {
    return [sum(from, times(direction, one)), sum(from, times(direction, one + other))];
  }
  const along = (one ** 2 + far ** 2 - other ** 2) / (2 * far);
  const within = Math.max(-one, Math.min(one, along));
  const aside = times(across(toward, direction), Math.sqrt(one ** 2 - within ** 2));
  return [sum(from, sum(times(direction, within), aside)), to];
}
