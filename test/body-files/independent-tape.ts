/**
 * A tape that shares no code with the service. It reads exported files byte by byte and slices their triangles. Lengths
 * are in mm; points are [right-handed x, y up, z forward].
 */
export type Point = [number, number, number];
export type Triangle = [Point, Point, Point];

export interface ParsedGlb {
  readonly triangles: Triangle[];
  readonly vertices: Point[];
  /** Place of each named node in the scene. */
  readonly nodes: Map<string, Point>;
  readonly extras: Record<string, unknown>;
}

/** A value that must be there. */
export function sure<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a value is missing');
  return value;
}

/** Component type of 32-bit floats in glTF. */
const FLOAT = 5126;

interface GlbJson {
  asset: { extras: Record<string, unknown> };
  nodes: { name: string; translation?: Point; children?: number[] }[];
  scene: number;
  scenes: { nodes: number[] }[];
  meshes: {
    primitives: { attributes: { POSITION: number }; indices: number; material: number }[];
  }[];
  materials: { name: string }[];
  accessors: { bufferView: number; byteOffset?: number; componentType: number; count: number }[];
  bufferViews: { byteOffset?: number; byteLength: number; byteStride?: number }[];
}

/** Reads a GLB: the triangles of skin and suit, of the eyes if asked, and the positions of all nodes. */
export function parseGlb(bytes: Uint8Array, withEyes = false): ParsedGlb {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const jsonBytes = view.getUint32(12, true);
  const json = JSON.parse(
    Buffer.from(bytes.subarray(20, 20 + jsonBytes)).toString('utf8'),
  ) as GlbJson;
  const binary = 20 + jsonBytes + 8;
  const read = (index: number): number[] => {
    const { bufferView, byteOffset = 0, componentType, count } = sure(json.accessors[index]);
    const place = sure(json.bufferViews[bufferView]);
    const from = binary + (place.byteOffset ?? 0) + byteOffset;
    if (componentType !== FLOAT) {
      return Array.from({ length: count }, (_, i) => view.getUint16(from + 2 * i, true));
    }
    const stride = place.byteStride ?? 12;
    return Array.from({ length: 3 * count }, (_, i) => {
      const at = from + stride * Math.floor(i / 3) + 4 * (i % 3);
      return 1000 * view.getFloat32(at, true);
    });
  };
  const triangles: Triangle[] = [];
  let vertices: Point[] = [];
  for (const primitive of sure(json.meshes[0]).primitives) {
    const positions = read(primitive.attributes.POSITION);
    const at = (i: number): Point => [
      sure(positions[3 * i]),
      sure(positions[3 * i + 1]),
      sure(positions[3 * i + 2]),
    ];
    vertices = Array.from({ length: positions.length / 3 }, (_, i) => at(i));
    if (!withEyes && /eyes|iris/.test(sure(json.materials[primitive.material]).name)) continue;
    const indices = read(primitive.indices);
    for (let i = 0; i < indices.length; i += 3) {
      triangles.push([at(sure(indices[i])), at(sure(indices[i + 1])), at(sure(indices[i + 2]))]);
    }
  }
  const nodes = new Map<string, Point>();
  const walk = (index: number, from: Point): void => {
    const { name, translation = [0, 0, 0], children = [] } = sure(json.nodes[index]);
    const at = from.map((mm, k) => mm + 1000 * sure(translation[k])) as Point;
    nodes.set(name, at);
    for (const child of children) walk(child, at);
  };
  for (const root of sure(json.scenes[json.scene]).nodes) walk(root, [0, 0, 0]);
  return { triangles, vertices, nodes, extras: json.asset.extras };
}

/** Reads a binary STL with Z up. The last `eyes` triangles are left out. */
export function parseStl(bytes: Uint8Array, eyes: number): Triangle[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = view.getUint32(80, true);
  if (bytes.length !== 84 + 50 * count) throw new Error('the length of the STL is wrong');
  return Array.from({ length: count - eyes }, (_, i): Triangle => {
    const point = (corner: number): Point => {
      const at = 84 + 50 * i + 12 * (corner + 1);
      const [x, y, z] = [0, 4, 8].map((offset) => view.getFloat32(at + offset, true)) as Point;
      return [x, z, -y];
    };
    return [point(0), point(1), point(2)];
  });
}

/** Reads an OBJ with Z up. */
export function parseObj(bytes: Uint8Array): Triangle[] {
  const rows = Buffer.from(bytes)
    .toString()
    .split('\n')
    .map((line) => line.split(' '));
  const numbers = (of: string) =>
    rows.filter(([word]) => word === of).map((row) => row.slice(1).map(Number));
  const points = numbers('v').map(([x, y, z]): Point => [sure(x), sure(z), -sure(y)]);
  return numbers('f').map((corners) => corners.map((i) => sure(points[i - 1])) as Triangle);
}

const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const distance = (a: Point, b: Point): number =>
  Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
export const mix = (a: Point, b: Point, t: number): Point =>
  a.map((mm, k) => mm + t * (sure(b[k]) - mm)) as Point;

/** The closed loops in which a plane cuts the triangles, as lists of points. */
export function sliceLoops(
  triangles: readonly Triangle[],
  through: Point,
  normal: Point,
): Point[][] {
  const level = dot(through, normal);
  // The height is shifted a little, so that no corner lies exactly in the plane.
  const height = (p: Point): number => dot(p, normal) - level - 1e-7;
  const key = (p: Point): string => p.map((mm) => Math.round(mm * 2000)).join(' ');
  const next = new Map<string, { point: Point; to: Point }[]>();
  for (const triangle of triangles) {
    const ends: Point[] = [];
    triangle.forEach((a, i) => {
      const b = sure(triangle[(i + 1) % 3]);
      const [ha, hb] = [height(a), height(b)];
      if (ha > 0 !== hb > 0) ends.push(mix(a, b, ha / (ha - hb)));
    });
    if (ends.length !== 2) continue;
    const [p, q] = ends as [Point, Point];
    for (const [from, to] of [
      [p, q],
      [q, p],
    ] as const) {
      next.set(key(from), [...(next.get(key(from)) ?? []), { point: from, to }]);
    }
  }
  const loops: Point[][] = [];
  const seen = new Set<string>();
  for (const [start, [first]] of next) {
    if (seen.has(start)) continue;
    const loop: Point[] = [];
    const queue = [sure(first).point];
    while (queue.length > 0) {
      const point = sure(queue.pop());
      if (seen.has(key(point))) continue;
      seen.add(key(point));
      loop.push(point);
      for (const { to } of next.get(key(point)) ?? []) queue.push(to);
    }
    if (loop.length > 2) loops.push(loop);
  }
  return loops;
}

/** The perimeter of the smallest convex outline around points in a plane (gift wrapping). */
export function tapeLength(points: readonly Point[], normal: Point): number {
  const first: Point = Math.abs(normal[0]) < 0.9 ? [1, 0, 0] : [0, 0, 1];
  const cross = (a: Point, b: Point): Point => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ];
  const scale = (a: Point): Point => a.map((v) => v / Math.hypot(...a)) as Point;
  const u = scale(cross(normal, first));
  const v = cross(scale(normal), u);
  const flat = points.map((p): [number, number] => [dot(p, u), dot(p, v)]);
  let at = flat.reduce((best, p, i) => (p[0] < sure(flat[best])[0] ? i : best), 0);
  const start = at;
  let length = 0;
  for (let corners = 0; corners <= flat.length; corners++) {
    let far = at === 0 ? 1 : 0;
    for (let i = 0; i < flat.length; i++) {
      const [a, b, c] = [sure(flat[at]), sure(flat[far]), sure(flat[i])];
      const turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
      const farther = Math.hypot(c[0] - a[0], c[1] - a[1]) > Math.hypot(b[0] - a[0], b[1] - a[1]);
      if (turn < 0 || (turn === 0 && farther)) far = i;
    }
    length += Math.hypot(
      sure(flat[far])[0] - sure(flat[at])[0],
      sure(flat[far])[1] - sure(flat[at])[1],
    );
    at = far;
    if (at === start) return length;
  }
  throw new Error('the outline does not close');
}

/** Extent of points along an axis. */
export function extent(points: readonly Point[], axis: Point): number {
  const far = points.map((p) => dot(p, axis));
  return Math.max(...far) - Math.min(...far);
}

/** Volume inside closed triangles, litres. */
export function enclosedLitres(triangles: readonly Triangle[]): number {
  let sum = 0;
  for (const [a, b, c] of triangles) {
    sum +=
      a[0] * (b[1] * c[2] - b[2] * c[1]) +
      a[1] * (b[2] * c[0] - b[0] * c[2]) +
      a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6e6;
}
