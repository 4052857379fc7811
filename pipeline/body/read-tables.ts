import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { BuildFault } from '../plans/build-fault.js';

/** Name of the source of the body. */
export const BODY_SOURCE = 'makehuman';

/** A mode of the body and its displacements. */
export interface RawMode {
  readonly kind: string;
  readonly name: string;
  readonly gender: string;
  readonly age: string;
  readonly muscle: string;
  readonly weight: string;
  /** x, y, z of each point, mm. */
  readonly moves: Float64Array;
}

/** A bone of the table. `head` and `tail` are numbers of points. */
export interface RawBone {
  readonly name: string;
  readonly parent: string;
  readonly head: number;
  readonly tail: number;
}

/** A face with four corners. */
export interface RawFace {
  readonly part: string;
  readonly corners: readonly number[];
  /** u and v of each corner, from 0 to 1. */
  readonly uvs: readonly number[];
}

/** The tables of `data/raw/makehuman`. */
export interface BodyTables {
  /** Part of each point: body, eye or joint, in this order. */
  readonly parts: readonly string[];
  /** x, y, z of each point, mm. */
  readonly positions: Float64Array;
  /** Four points of each face, counterclockwise from outside, and their places in textures. */
  readonly faces: readonly RawFace[];
  readonly bones: readonly RawBone[];
  /** Bones and weights of each point, largest first. */
  readonly influences: readonly (readonly (readonly [bone: string, weight: number])[])[];
  readonly landmarks: Readonly<Record<string, number>>;
  readonly modes: readonly RawMode[];
}

/** The two triangles of a face with four corners. */
export function trianglesOf([a = 0, b = 0, c = 0, d = 0]: readonly number[]) {
  return [[a, b, c] as const, [a, c, d] as const];
}

/** Reads the tables of the body and checks them. @throws BuildFault that names the table and the row */
export function readBodyTables(rawDir: string): BodyTables {
  const folder = join(rawDir, BODY_SOURCE);
  const faults: string[] = [];
  const fault = (table: string, text: string): void => {
    if (faults.length < 10) faults.push(`${folder}/${table}: ${text}. Import makehuman again.`);
  };
  const table = (name: string): string[][] => {
    const bytes = readFileSync(join(folder, name));
    const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
    return text
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','));
  };
  const points = table('points.csv.gz');
  const parts = points.map(([, part = '']) => part);
  const positions = Float64Array.from(points.flatMap(([, , x, y, z]) => [x, y, z].map(Number)));
  if (!positions.every((mm) => Math.abs(mm) < 2000)) fault('points.csv.gz', 'has no position');
  const surface = parts.indexOf('joint');
  const faces = table('faces.csv.gz').map(([part = '', ...numbers]) => ({
    part,
    corners: numbers.slice(0, 4).map(Number),
    uvs: numbers.slice(4).map(Number),
  }));
  for (const { corners, uvs } of faces) {
    const isFace = corners.length === 4 && corners.every((point) => point >= 0 && point < surface);
    if (isFace && uvs.length === 8 && uvs.every((place) => place >= 0 && place <= 1)) continue;
    fault('faces.csv.gz', `has the face ${corners.join(' ')}`);
  }
  checkClosed(
    faces.map(({ corners }) => corners),
    (text) => fault('faces.csv.gz', text),
  );
  const bones = table('bones.csv').map(([name = '', parent = '', head, tail]) => ({
    name,
    parent,
    head: Number(head),
    tail: Number(tail),
  }));
  const seen = new Set(['']);
  for (const { name, parent, head, tail } of bones) {
    const joints = [head, tail].every((point) => parts[point] === 'joint');
    if (!joints || !seen.has(parent)) fault('bones.csv', `has a wrong parent or joint of ${name}`);
    seen.add(name);
  }
  const influences = parts.map((): [string, number][] => []);
  for (const [point, bone = '', weight] of table('weights.csv.gz')) {
    influences[Number(point)]?.push([bone, Number(weight)]);
  }
  influences.forEach((list, point) => {
    list.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    const sum = list.reduce((total, [, weight]) => total + weight, 0);
    if (point < surface && !(Math.abs(sum - 1) < 1e-3)) {
      fault('weights.csv.gz', `the weights of point ${point} sum to ${sum}`);
    }
  });
  const landmarks = Object.fromEntries(
    table('landmarks.csv').map(([name = '', point]) => [name, Number(point)]),
  );
  for (const [name, point] of Object.entries(landmarks)) {
    if (parts[point] !== 'body') fault('landmarks.csv', `${name} is no vertex of the body`);
  }
  const units: number[] = [];
  const modes = table('modes.csv').map(
    ([, kind = '', name = '', gender = '', age = '', muscle = '', weight = '', unit]) => {
      units.push(Number(unit));
      return { kind, name, gender, age, muscle, weight, moves: new Float64Array(positions.length) };
    },
  );
  for (const [mode, point, ...moves] of table('displacements.csv.gz')) {
    const target = modes[Number(mode)]?.moves;
    const at = 3 * Number(point);
    moves.forEach((units_, axis) => {
      const mm = Number(units_) * (units[Number(mode)] ?? Number.NaN);
      if (target === undefined || !(at < positions.length) || !(Math.abs(mm) < 2000)) {
        fault('displacements.csv.gz', `mode ${mode} moves point ${point} by ${mm} mm`);
      } else target[at + axis] = mm;
    });
  }
  if (faults.length > 0) throw new BuildFault(faults);
  return { parts, positions, faces, bones, influences, landmarks, modes };
}

/** Checks that each edge belongs to two faces, which run along the edge in opposite directions. */
function checkClosed(faces: readonly (readonly number[])[], fault: (text: string) => void): void {
  const edges = new Set<string>();
  for (const corners of faces) {
    corners.forEach((from, i) => {
      const edge = `${from} ${corners[(i + 1) % corners.length]}`;
      if (edges.has(edge)) fault(`two faces pass the edge ${edge} in one direction`);
      edges.add(edge);
    });
  }
  for (const edge of edges) {
    if (!edges.has(edge.split(' ').reverse().join(' '))) fault(`the edge ${edge} is open`);
  }
}
