import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { BODY_SOURCE, readBodyTables } from '../../../pipeline/body/read-tables.js';
import { FORMAT_VERSION } from '../../../src/lookup/format.js';
import {
  readShape,
  type ShapeViews,
  verifyShape,
  writeShape,
} from '../../../src/lookup/shape-file.js';
import { bodyShape } from '../../support/body.js';
import { newFolder } from '../../support/folders.js';
import { cases } from '../../support/whole-run.js';

const RAW = join(import.meta.dirname, '../../../data/raw');
const VERSION = `${FORMAT_VERSION.major}.${FORMAT_VERSION.minor}`;

/** A copy of the tables with one changed text. */
function changed(file: string, change: (text: string) => string): string {
  const folder = newFolder('body');
  cpSync(join(RAW, BODY_SOURCE), join(folder, BODY_SOURCE), { recursive: true });
  const path = join(folder, BODY_SOURCE, file);
  const bytes = readFileSync(path);
  const gzipped = file.endsWith('.gz');
  const text = change((gzipped ? gunzipSync(bytes) : bytes).toString('utf8'));
  writeFileSync(path, gzipped ? gzipSync(text) : text);
  return folder;
}

type Fault = readonly [file: string, change: (text: string) => string, message: RegExp];
it.each(
  cases<Fault>(
    [
      ['faces.csv.gz', (text: string) => text.replace(/\nbody,.*\n/, '\n'), /the edge .* is open/],
      [
        'bones.csv',
        (text: string) => text.replace('spine_01,pelvis', 'spine_01,nothing'),
        /parent or joint of spine_01/,
      ],
    ],
    [
      [
        'weights.csv.gz',
        (text: string) => text.replace(/\n0,.*\n/, '\n'),
        /weights of point 0 sum to/,
      ],
      [
        'landmarks.csv',
        (text: string) => text.replace(/glabella,\d+/, 'glabella,13591'),
        /glabella is no vertex/,
      ],
      ['displacements.csv.gz', (text: string) => `${text}3,99999,1,1,1\n`, /moves point 99999/],
      [
        'points.csv.gz',
        (text: string) => text.replace(/\n5,body,[^,]*/, '\n5,body,none'),
        /has no position/,
      ],
    ],
  ),
)('refuses tables with a fault in %s', (file, change, message) => {
  expect(() => readBodyTables(changed(file, change))).toThrow(message);
});

it('keeps each surface closed in the full and in the light body', async () => {
  const { triangles, lightTriangles } = await bodyShape();
  for (const list of [triangles, lightTriangles]) {
    const edges = new Map<string, number>();
    for (let i = 0; i < list.length; i += 3) {
      for (let k = 0; k < 3; k++) {
        const [a, b] = [list[i + k] as number, list[i + ((k + 1) % 3)] as number];
        edges.set(`${a} ${b}`, (edges.get(`${a} ${b}`) ?? 0) + 1);
      }
    }
    const open = [...edges].filter(([edge, count]) => {
      const back = edges.get(edge.split(' ').reverse().join(' '));
      return count !== 1 || back !== 1;
    });
    expect(open).toEqual([]);
  }
});

it('holds the largest displacements: those of children exceed 16 bits in the unit of the others', async () => {
  const { macro, macroScale } = await bodyShape();
  const size = macro.length / macroScale.length;
  const largest = Math.max(
    ...Array.from(macroScale, (unit, mode) => {
      const own = macro.subarray(mode * size, (mode + 1) * size);
      return unit * own.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    }),
  );
  expect(largest).toBeGreaterThan(32_767 * 0.02);
  expect(largest).toBeCloseTo(1067, -1);
});

/** Distance by which a landmark stands out from its neighbours on the surface, mm. */
function relief({ positions, triangles, header }: ShapeViews, landmark: string): number {
  const centre = header.landmarks[landmark] as number;
  const near = new Set<number>();
  for (let i = 0; i < triangles.length; i += 3) {
    const corners = [...triangles.subarray(i, i + 3)];
    if (corners.includes(centre)) for (const corner of corners) near.add(corner);
  }
  near.delete(centre);
  const mean = [0, 1, 2].map(
    (k) => [...near].reduce((sum, v) => sum + (positions[3 * v + k] as number), 0) / near.size,
  );
  return Math.hypot(...mean.map((mm, k) => mm - (positions[3 * centre + k] as number)));
}

it('has neither nipples nor a navel', async () => {
  const views = await bodyShape();
  for (const landmark of ['thelion_l', 'thelion_r', 'omphalion']) {
    expect(relief(views, landmark), landmark).toBeLessThan(0.7);
  }
});

it('says which part of the file is damaged', async () => {
  const bytes = writeShape(await bodyShape(), VERSION);
  expect(() => readShape(bytes.subarray(0, bytes.length - 9))).toThrow(/uv \(truncated\)/);
  expect(() => readShape(bytes.subarray(1))).toThrow(/VITSHAPE \(wrong_type\)/);
  expect(() => readShape(writeShape(readShape(bytes), '9.0'))).toThrow(/newer_format/);
  const views = readShape(bytes.slice());
  views.skinWeight[0] = 1;
  expect(() => verifyShape(views)).toThrow(/skinWeight holds .*out_of_range/);
  const broken = readShape(bytes.slice());
  broken.positions[7] = Number.NaN;
  expect(() => verifyShape(broken)).toThrow(/positions holds NaN \(not_a_number\)/);
});
