/** A point in a view: mm to the right and mm up from the origin of the view. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Corners of a closed curve, as `x y` pairs in mm separated by commas. */
export function points(text: string): readonly Point[] {
  return text.split(',').map((pair) => {
    const [x = Number.NaN, y = Number.NaN] = pair.trim().split(/\s+/).map(Number);
    return { x, y };
  });
}

/** The same points moved. */
export function moved(line: readonly Point[], dx: number, dy: number): readonly Point[] {
  return line.map(({ x, y }) => ({ x: x + dx, y: y + dy }));
}

/** The points mirrored at the line x = 0, in reverse order, so that they continue the first line. */
export function mirrored(line: readonly Point[]): readonly Point[] {
  return line.map(({ x, y }) => ({ x: -x, y })).reverse();
}

/** A curve symmetric about x = 0, given by its right half. */
export function symmetric(half: string): readonly Point[] {
  const right = points(half);
  return [...right, ...mirrored(right).filter(({ x }) => x !== 0)];
}

/**
 * The outline of a limb with round ends, given by points of its middle line: `x y halfWidth` in mm,
 * separated by commas.
 */
export function limb(text: string): readonly Point[] {
  const stations = text.split(',').map((station) => {
    const [x = 0, y = 0, r = 0] = station.trim().split(/\s+/).map(Number);
    return { x, y, r };
  });
  const left: Point[] = [];
  const right: Point[] = [];
  const caps: Point[] = [];
  stations.forEach(({ x, y, r }, i) => {
    const before = stations[i - 1] ?? { x, y };
    const after = stations[i + 1] ?? { x, y };
    const length = Math.hypot(after.x - before.x, after.y - before.y);
    const [ux, uy] = [(after.x - before.x) / length, (after.y - before.y) / length];
    left.push({ x: x - uy * r, y: y + ux * r });
    right.push({ x: x + uy * r, y: y - ux * r });
    if (i === 0) caps.push({ x: x - ux * r * 0.9, y: y - uy * r * 0.9 });
    if (i === stations.length - 1) caps.push({ x: x + ux * r * 0.9, y: y + uy * r * 0.9 });
  });
  const [start, end] = caps;
  return [start, ...left, end, ...right.reverse()].filter((point) => point !== undefined);
}

/** A circle as a closed curve of eight points. */
export function circle(x: number, y: number, r: number): readonly Point[] {
  return Array.from({ length: 8 }, (_, i) => ({
    x: x + r * Math.cos((i * Math.PI) / 4),
    y: y + r * Math.sin((i * Math.PI) / 4),
  }));
}

/** SVG path of a smooth closed curve through the points, always in the same direction. */
export function closedCurve(line: readonly Point[]): string {
  const ordered = signedArea(line) < 0 ? [...line].reverse() : line;
  const n = ordered.length;
  const at = (i: number) => ordered[(i + n) % n] as Point;
  const parts = ordered.map((_, i) => bezier(at(i - 1), at(i), at(i + 1), at(i + 2)));
  return `M${pair(at(0))}${parts.join('')}Z`;
}

/** Points on the smooth closed curve through the points: `steps` for each of them. */
export function onClosedCurve(line: readonly Point[], steps: number): readonly Point[] {
  const n = line.length;
  const at = (i: number) => line[(i + n) % n] as Point;
  return line.flatMap((b, i) => {
    const [a, c, d] = [at(i - 1), at(i + 1), at(i + 2)];
    return Array.from({ length: steps }, (_, step) => {
      const t = step / steps;
      const along = (p: number, q: number, r: number, s: number) =>
        q + (t * (r - p + t * (2 * p - 5 * q + 4 * r - s + t * (3 * (q - r) + s - p)))) / 2;
      return { x: along(a.x, b.x, c.x, d.x), y: along(a.y, b.y, c.y, d.y) };
    });
  });
}

/** SVG path of a smooth open curve through the points. */
export function openCurve(line: readonly Point[]): string {
  const at = (i: number) => line[Math.min(Math.max(i, 0), line.length - 1)] as Point;
  const parts = line.slice(1).map((_, i) => bezier(at(i - 1), at(i), at(i + 1), at(i + 2)));
  return `M${pair(at(0))}${parts.join('')}`;
}

/** SVG path of straight lines through the points. */
export function straightLine(...line: readonly Point[]): string {
  return `M${line.map(pair).join('L')}`;
}

/** A point in SVG coordinates: y points downwards, rounded to a tenth of a mm. */
export function pair({ x, y }: Point): string {
  return `${tenth(x)} ${tenth(-y)}`;
}

function tenth(mm: number): number {
  return Math.round(mm * 10) / 10 + 0;
}

/** The segment of a Catmull-Rom spline from b to c, as a Bézier curve. */
function bezier(a: Point, b: Point, c: Point, d: Point): string {
  const one = { x: b.x + (c.x - a.x) / 6, y: b.y + (c.y - a.y) / 6 };
  const two = { x: c.x - (d.x - b.x) / 6, y: c.y - (d.y - b.y) / 6 };
  return `C${pair(one)} ${pair(two)} ${pair(c)}`;
}

function signedArea(line: readonly Point[]): number {
  return line.reduce((sum, { x, y }, i) => {
    const next = line[(i + 1) % line.length] as Point;
    return sum + (x * next.y - next.x * y) / 2;
  }, 0);
}
