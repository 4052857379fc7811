import { type Solid, solidsGlb } from '../body-files/glb.js';
import { stlFile } from '../body-files/triangles.js';
import { dxfText } from '../core/dxf.js';
import { fromMm, type Unit } from '../core/units.js';
import { type Envelope, type Plane, pointAt } from '../reach/envelope.js';
import type { Vector } from '../reach/sitter.js';

/** An envelope with what was asked. */
export interface AskedEnvelope extends Envelope {
  readonly percentiles: readonly number[];
  readonly planes: readonly Plane[];
}

/** Media types of the files of an envelope. */
export const ENVELOPE_TYPES = {
  csv: 'text/csv; charset=utf-8',
  svg: 'image/svg+xml',
  dxf: 'image/vnd.dxf',
  glb: 'model/gltf-binary',
  stl: 'model/stl',
} as const;
export type EnvelopeFormat = keyof typeof ENVELOPE_TYPES;

/** An envelope as a file. Lengths of a CSV are in `unit`; SVG, DXF and STL are in mm, GLB is in metres. */
export async function envelopeFile(
  envelope: AskedEnvelope,
  format: EnvelopeFormat,
  unit: Unit,
): Promise<Uint8Array> {
  switch (format) {
    case 'csv':
      return Buffer.from(csvOf(envelope, unit));
    case 'svg':
      return Buffer.from(svgOf(envelope));
    case 'dxf':
      return Buffer.from(dxfOf(envelope));
    case 'glb':
      return solidsGlb(solidsOf(envelope));
    case 'stl':
      return stlFile('Vitruvia reach, millimetres, Z up', solidsOf(envelope));
  }
}

/** A plane in words, such as `z=560`. */
function planeName(plane: Plane, unit: Unit): string {
  return 'z' in plane ? `z=${fromMm(plane.z, unit)}` : `y=${fromMm(plane.y, unit)}`;
}

/** The points of all surfaces and curves, one a row. */
function csvOf(
  { centre, directions, distances, percentiles, curves, planes }: AskedEnvelope,
  unit: Unit,
) {
  const rows = [`surface,percentile,x_${unit},y_${unit},z_${unit},distance_${unit}`];
  const add = (name: string, percentile: number, point: readonly number[]): void => {
    const far = Math.hypot(...point.map((value, axis) => value - centre[axis]));
    const values = [...point, far].map((value) => fromMm(value, unit));
    rows.push([name, percentile, ...values].join(','));
  };
  percentiles.forEach((percentile, p) => {
    directions.forEach((direction, d) => {
      const far = distances[p][d];
      if (far > 0) add('all', percentile, pointAt(centre, direction, far));
    });
    planes.forEach((plane, i) => {
      for (const { points } of curves[i][p]) {
        for (const point of points) add(planeName(plane, unit), percentile, point);
      }
    });
  });
  return `${rows.join('\r\n')}\r\n`;
}

/** The two coordinates of a point of a plane: forward, and to the left (seen from above) or up. */
function inPlane(plane: Plane, [x, y, z]: Vector): readonly [number, number] {
  return 'z' in plane ? [x, y] : [x, z];
}

/** The curves of the planes as an R12 drawing, a layer for each plane and percentile. */
function dxfOf({ planes, percentiles, curves }: AskedEnvelope): string {
  return dxfText(
    planes.flatMap((plane, i) =>
      percentiles.flatMap((percentile, p) => {
        const layer = `${planeName(plane, 'mm').replace('=', '').replace('-', 'M').replace('.', '_')}_P${String(percentile).replace('.', '_')}`;
        return curves[i][p].map(({ isClosed, points }) => ({
          ...{ layer: layer.toUpperCase(), isClosed },
          points: points.map((point) => inPlane(plane, point)),
        }));
      }),
    ),
  );
}

/** Room around the curves of an SVG, and between its planes, in mm. */
const ROOM = 60;

/** The curves of the planes side by side, one mm a unit. */
function svgOf({ planes, percentiles, curves }: AskedEnvelope): string {
  let left = ROOM;
  let height = 0;
  const parts: string[] = [];
  planes.forEach((plane, i) => {
    const lines = percentiles.flatMap((percentile, p) =>
      curves[i][p].map(({ isClosed, points }) => {
        return { percentile, isClosed, points: points.map((point) => inPlane(plane, point)) };
      }),
    );
    const all = lines.flatMap(({ points }) => points);
    if (all.length === 0) return;
    const [xs, ys] = [all.map(([x]) => x), all.map(([, y]) => y)];
    const [low, high] = [Math.min(...xs), Math.max(...xs)];
    const [bottom, top] = [Math.min(...ys), Math.max(...ys)];
    parts.push(
      `<text x="${left.toFixed(0)}" y="40" font-size="24">${planeName(plane, 'mm')} mm</text>`,
    );
    for (const { percentile, isClosed, points } of lines) {
      const placed = points.map(
        ([x, y]) => `${(left + x - low).toFixed(1)} ${(ROOM + top - y).toFixed(1)}`,
      );
      parts.push(
        `<path d="M${placed.join('L')}${isClosed ? 'Z' : ''}" fill="none" stroke="#1f5f8b" stroke-width="2"><title>P${percentile}</title></path>`,
      );
    }
    left += high - low + ROOM;
    height = Math.max(height, top - bottom);
  });
  const [width, tall] = [Math.ceil(left), Math.ceil(height + 2 * ROOM)];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}mm" height="${tall}mm" viewBox="0 0 ${width} ${tall}" font-family="sans-serif">${parts.join('')}</svg>\n`;
}

/** Inner surfaces lie at least so far from the centre, and so far inside the outer surface, in mm. Each begins a little
 * later than the last one, so that solids have no common side. */
const [LEAST_MM, THIN_MM] = [10, 2];

/**
 * The solid of each percentile: the outer surface, the inner surface, and the rim between them. The cells between four
 * neighbouring directions belong to it if people reach in all four.
 */
function solidsOf(envelope: AskedEnvelope): Solid[] {
  const { centre, directions, azimuths, distances, nearest, percentiles } = envelope;
  const last = directions.length - azimuths;
  // All directions of a pole are one point.
  const cornerOf = (row: number, a: number): number => {
    const corner = row + ((a + azimuths) % azimuths);
    return row === 0 || row === last ? row : corner;
  };
  return percentiles.map((percentile, p) => {
    const isThere = (corner: number): boolean => distances[p][corner] > 0;
    const cells = new Map<string, readonly number[]>();
    for (let row = 0; row < last; row += azimuths) {
      for (let a = 0; a < azimuths; a++) {
        const [low, high] = [row, row + azimuths];
        const around = [
          ...[cornerOf(low, a), cornerOf(low, a + 1)],
          ...[cornerOf(high, a + 1), cornerOf(high, a)],
        ];
        const corners = around.filter((corner, i) => around.indexOf(corner) === i);
        if (corners.every(isThere)) cells.set(`${row} ${a}`, corners);
      }
    }
    while (dropTouching(cells)) {}
    const positions = new Float32Array(6 * directions.length);
    directions.forEach((direction, d) => {
      const far = distances[p][d];
      const near = Math.max(LEAST_MM + p, Math.min(nearest?.[p][d] ?? 0, far - THIN_MM));
      positions.set(pointAt(centre, direction, far), 3 * d);
      positions.set(pointAt(centre, direction, near), 3 * (d + directions.length));
    });
    const inside = (corner: number): number => corner + directions.length;
    const triangles: number[] = [];
    const fan = (corners: readonly number[]): void => {
      for (let i = 2; i < corners.length; i++) {
        triangles.push(corners[0], corners[i - 1], corners[i]);
      }
    };
    for (const corners of cells.values()) {
      fan(corners);
      fan([...corners].reverse().map(inside));
    }
    for (const [from, to] of rimOf(cells)) fan([to, from, inside(from), inside(to)]);
    return { name: `P${percentile}`, positions, triangles: Uint16Array.from(triangles) };
  });
}

/** The sides of cells that no other cell has. */
function rimOf(cells: ReadonlyMap<string, readonly number[]>): (readonly [number, number])[] {
  const sides = [...cells.values()].flatMap((corners) =>
    corners.map((from, i) => [from, corners[(i + 1) % corners.length]] as const),
  );
  const has = new Set(sides.map((side) => side.join(' ')));
  return sides.filter(([from, to]) => !has.has(`${to} ${from}`));
}

/**
 * Leaves out the cells at a corner where parts of a solid touch without a common side, because a solid has no such
 * corners.
 *
 * @returns whether there was such a corner
 */
function dropTouching(cells: Map<string, readonly number[]>): boolean {
  const starts = rimOf(cells).map(([from]) => from);
  const touching = new Set(starts.filter((from, i) => starts.indexOf(from) !== i));
  for (const [key, corners] of cells) {
    if (corners.some((corner) => touching.has(corner))) cells.delete(key);
  }
  return touching.size > 0;
}
