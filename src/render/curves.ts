import type { Line } from './outline.js';

/**
 * A point where a line turns by more than this angle is a corner. The directions are taken `CORNER_REACH_MM` before and
 * after the point.
 */
const CORNER = (60 * Math.PI) / 180;
const CORNER_REACH_MM = 3;
const NEWTON_ROUNDS = 2;

/**
 * Converts a line to an SVG path of cubic curves in relative coordinates, with y downwards. The curves are fitted by
 * least squares (Schneider 1990, "An algorithm for automatically fitting digitized curves", Graphics Gems I). They meet
 * smoothly except at corners.
 *
 * @param toleranceMm maximum distance of the points from the curves
 * @param perMm steps of the coordinates per mm
 */
export function pathOf(line: Line, closed: boolean, toleranceMm: number, perMm = 10): string {
  const path = new PathText(perMm);
  const points = closed ? turnedToCorner(line) : line;
  const count = points.length / 2;
  if (count < 2) return '';
  const whole = new Float64Array(points.length + (closed ? 2 : 0));
  whole.set(points);
  if (closed) whole.set(points.subarray(0, 2), points.length);
  const cuts = cornersOf(whole, closed);
  path.moveTo(whole[0], whole[1]);
  for (let i = 1; i < cuts.length; i++) {
    const [from, to] = [cuts[i - 1], cuts[i]];
    const smoothEnds = closed && cuts.length === 2;
    const start = smoothEnds ? closedTangent(whole) : tangent(whole, from, 1, to);
    const end: Tangent = smoothEnds ? [-start[0], -start[1]] : tangent(whole, to, -1, from);
    fitCubics(whole, from, to, start, end, toleranceMm, path);
  }
  if (closed) path.close();
  return path.text;
}

type Tangent = readonly [number, number];

/** Straight or curved segments as short text. */
class PathText {
  text = '';
  /** Whether the next number is the first after a letter. */
  private isFirst = false;
  private x = 0;
  private y = 0;

  constructor(private readonly perMm: number) {}

  moveTo(x: number, y: number): void {
    this.x = this.rounded(x);
    this.y = this.rounded(-y);
    this.text += `M${number(this.x)}${pair(this.y, false)}c`;
    this.isFirst = true;
  }

  curveTo(...values: [number, number, number, number, number, number]): void {
    const own = values.map((value, i) => this.rounded(i % 2 === 0 ? value : -value));
    const relative = own.map((value, i) => this.rounded(value - (i % 2 === 0 ? this.x : this.y)));
    for (const value of relative) {
      this.text += pair(value, this.isFirst);
      this.isFirst = false;
    }
    this.x = own[4];
    this.y = own[5];
  }

  close(): void {
    this.text += 'z';
  }

  private rounded(mm: number): number {
    return Math.round(mm * this.perMm) / this.perMm + 0;
  }
}

function number(value: number): string {
  return String(value).replace(/^(-?)0\./, '$1.');
}

/** A number that follows other numbers. A space precedes it only if needed. */
function pair(value: number, isFirst: boolean): string {
  const text = number(value);
  return text.startsWith('-') || isFirst ? text : ` ${text}`;
}

/** Rotates a closed line so that it begins at its sharpest corner, if it has one. */
function turnedToCorner(line: Line): Line {
  const count = line.length / 2;
  let [sharpest, most] = [0, CORNER];
  for (let i = 0; i < count; i++) {
    const turn = turnAt(line, i, true);
    if (turn > most) [sharpest, most] = [i, turn];
  }
  if (sharpest === 0) return line;
  const turned = new Float64Array(line.length);
  turned.set(line.subarray(2 * sharpest));
  turned.set(line.subarray(0, 2 * sharpest), line.length - 2 * sharpest);
  return turned;
}

/** Angle by which a line turns at a point. The directions are taken some mm before and after the point. */
function turnAt(line: Line, at: number, closed: boolean): number {
  const back = wayFrom(line, at, -1, closed);
  const ahead = wayFrom(line, at, 1, closed);
  if (Number.isNaN(back) || Number.isNaN(ahead)) return 0;
  const turn = Math.abs(ahead - back);
  return Math.abs(Math.PI - turn);
}

/** Direction from a point to the first point that is some mm away, radians; NaN at the end of a line. */
function wayFrom(line: Line, at: number, step: 1 | -1, closed: boolean): number {
  const count = line.length / 2;
  const x = line[2 * at];
  const y = line[2 * at + 1];
  for (let k = 1; k < Math.min(count, 16); k++) {
    let i = at + step * k;
    if (closed) i = (i + count) % count;
    else if (i < 0 || i >= count) return Number.NaN;
    const dx = line[2 * i] - x;
    const dy = line[2 * i + 1] - y;
    if (dx * dx + dy * dy >= CORNER_REACH_MM ** 2) return Math.atan2(dy, dx);
  }
  return Number.NaN;
}

/** Points at which the line is cut: its ends and its corners. */
function cornersOf(line: Line, closed: boolean): number[] {
  const last = line.length / 2 - 1;
  const cuts = [0];
  let best: { at: number; turn: number } | undefined;
  for (let i = 2; i <= last - 2; i++) {
    const turn = turnAt(line, i, closed);
    if (turn > CORNER) {
      if (best === undefined || turn > best.turn) best = { at: i, turn };
    } else if (best !== undefined) {
      cuts.push(best.at);
      best = undefined;
    }
  }
  return [...cuts, last];
}

/** Unit direction at a point into the line. */
function tangent(line: Line, at: number, step: 1 | -1, until: number): Tangent {
  const other = step > 0 ? Math.min(at + 3, until) : Math.max(at - 3, until);
  const [dx, dy] = [line[2 * other] - line[2 * at], line[2 * other + 1] - line[2 * at + 1]];
  const size = Math.hypot(dx, dy) || 1;
  return [dx / size, dy / size];
}

/** Direction of a closed line without corners at its first point. */
function closedTangent(line: Line): Tangent {
  const [k, last] = [2, line.length / 2 - 3];
  const [dx, dy] = [line[2 * k] - line[2 * last], line[2 * k + 1] - line[2 * last + 1]];
  const size = Math.hypot(dx, dy) || 1;
  return [dx / size, dy / size];
}

type Cubic = readonly [number, number, number, number, number, number, number, number];

function fitCubics(
  line: Line,
  from: number,
  to: number,
  start: Tangent,
  end: Tangent,
  tolerance: number,
  path: PathText,
): void {
  const times = chordTimes(line, from, to);
  let curve = bestCubic(line, from, to, times, start, end);
  let worst = worstPoint(line, from, to, times, curve);
  for (let round = 0; round < NEWTON_ROUNDS && worst.far > tolerance; round++) {
    if (worst.far > 6 * tolerance) break;
    improveTimes(line, from, times, curve);
    curve = bestCubic(line, from, to, times, start, end);
    worst = worstPoint(line, from, to, times, curve);
  }
  if (worst.far <= tolerance || to - from < 2) {
    path.curveTo(curve[2], curve[3], curve[4], curve[5], curve[6], curve[7]);
    return;
  }
  const at = Math.min(to - 1, Math.max(from + 1, worst.at));
  const reach = Math.min(3, at - from, to - at);
  const [a, b] = [at - Math.max(1, reach), at + Math.max(1, reach)];
  const [dx, dy] = [line[2 * b] - line[2 * a], line[2 * b + 1] - line[2 * a + 1]];
  const size = Math.hypot(dx, dy) || 1;
  const way: Tangent = [dx / size, dy / size];
  fitCubics(line, from, at, start, [-way[0], -way[1]], tolerance, path);
  fitCubics(line, at, to, way, end, tolerance, path);
}

/** Curve parameters of the points, from 0 to 1, in proportion to the length of the line. */
function chordTimes(line: Line, from: number, to: number): Float64Array {
  const times = new Float64Array(to - from + 1);
  for (let i = from + 1; i <= to; i++) {
    times[i - from] =
      times[i - from - 1] +
      distance(line[2 * i] - line[2 * i - 2], line[2 * i + 1] - line[2 * i - 1]);
  }
  const whole = times[to - from];
  if (whole > 0) for (let i = 0; i < times.length; i++) times[i] /= whole;
  return times;
}

/**
 * The cubic curve with given ends and end directions that has the smallest distances from the points at their
 * parameters.
 */
function bestCubic(
  line: Line,
  from: number,
  to: number,
  times: Float64Array,
  start: Tangent,
  end: Tangent,
): Cubic {
  const [x0, y0] = [line[2 * from], line[2 * from + 1]];
  const [x3, y3] = [line[2 * to], line[2 * to + 1]];
  let [c00, c01, c11, r0, r1] = [0, 0, 0, 0, 0];
  const dot = start[0] * end[0] + start[1] * end[1];
  for (let i = 0; i < times.length; i++) {
    const t = times[i];
    const s = 1 - t;
    const [b0, b1, b2, b3] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
    const dx = line[2 * (from + i)] - (b0 + b1) * x0 - (b2 + b3) * x3;
    const dy = line[2 * (from + i) + 1] - (b0 + b1) * y0 - (b2 + b3) * y3;
    c00 += b1 * b1;
    c01 += b1 * b2 * dot;
    c11 += b2 * b2;
    r0 += b1 * (start[0] * dx + start[1] * dy);
    r1 += b2 * (end[0] * dx + end[1] * dy);
  }
  const det = c00 * c11 - c01 * c01;
  const chord = Math.hypot(x3 - x0, y3 - y0);
  let [a, b] = [(r0 * c11 - r1 * c01) / det, (c00 * r1 - c01 * r0) / det];
  if (!(a > 0.02 * chord && b > 0.02 * chord && a < 4 * chord && b < 4 * chord)) {
    a = chord / 3;
    b = chord / 3;
  }
  return [x0, y0, x0 + a * start[0], y0 + a * start[1], x3 + b * end[0], y3 + b * end[1], x3, y3];
}

// These loops use plain numbers. Arrays and `Math.hypot` would allocate memory for each point.

function distance(dx: number, dy: number): number {
  return Math.sqrt(dx * dx + dy * dy);
}

/** A coordinate (0: x, 1: y) of a curve at a parameter t. */
function coordinateAt(c: Cubic, t: number, axis: 0 | 1): number {
  const s = 1 - t;
  return (
    s * s * s * c[axis] +
    3 * s * s * t * c[axis + 2] +
    3 * s * t * t * c[axis + 4] +
    t * t * t * c[axis + 6]
  );
}

function worstPoint(line: Line, from: number, to: number, times: Float64Array, curve: Cubic) {
  let at = (from + to) >> 1;
  let far = 0;
  for (let i = 1; i < times.length - 1; i++) {
    const t = times[i];
    const own = distance(
      coordinateAt(curve, t, 0) - line[2 * (from + i)],
      coordinateAt(curve, t, 1) - line[2 * (from + i) + 1],
    );
    if (own > far) {
      at = from + i;
      far = own;
    }
  }
  return { at, far };
}

/** Moves the parameters of the points towards the nearest points of the curve, by Newton's method. */
function improveTimes(line: Line, from: number, times: Float64Array, c: Cubic): void {
  for (let i = 1; i < times.length - 1; i++) {
    const t = times[i];
    const s = 1 - t;
    const b0 = 3 * s * s;
    const b1 = 6 * s * t;
    const b2 = 3 * t * t;
    const ux = b0 * (c[2] - c[0]) + b1 * (c[4] - c[2]) + b2 * (c[6] - c[4]);
    const uy = b0 * (c[3] - c[1]) + b1 * (c[5] - c[3]) + b2 * (c[7] - c[5]);
    const vx = 6 * (s * (c[4] - 2 * c[2] + c[0]) + t * (c[6] - 2 * c[4] + c[2]));
    const vy = 6 * (s * (c[5] - 2 * c[3] + c[1]) + t * (c[7] - 2 * c[5] + c[3]));
    const dx = coordinateAt(c, t, 0) - line[2 * (from + i)];
    const dy = coordinateAt(c, t, 1) - line[2 * (from + i) + 1];
    const slope = ux * ux + uy * uy + dx * vx + dy * vy;
    if (slope === 0) continue;
    const to = t - (dx * ux + dy * uy) / slope;
    if (to > 0 && to < 1) times[i] = to;
  }
}
