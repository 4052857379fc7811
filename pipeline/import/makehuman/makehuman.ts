import type { Cell, OutputTable, TableColumn } from '../importer.js';
import { renewSource } from '../output.js';
import { compareText } from '../statistics.js';
import { landmarksOf } from './landmarks.js';
import { displacements, modesOf } from './modes.js';
import { AssetFolder, type BaseMesh, type Target } from './read-assets.js';

/** Name of MakeHuman's body as a source. Unlike for a survey, the input is a folder of 297 files. */
export const MAKEHUMAN = 'makehuman';

/** The points of the tables. Each point is the mean of some vertices of the base mesh. */
interface Points {
  readonly part: readonly ('body' | 'eye' | 'joint')[];
  readonly vertices: readonly (readonly number[])[];
  readonly joints: ReadonlyMap<string, number>;
  /** Index of the point for a vertex of the body or of an eye. */
  readonly pointOf: ReadonlyMap<number, number>;
}

const EYES = ['helper-l-eye', 'helper-r-eye'] as const;

function pointsOf({ groups }: BaseMesh, jointNames: readonly string[]): Points {
  const verticesOf = (group: string) =>
    [...new Set(groups.get(group)?.flat())].sort((a, b) => a - b);
  const body = verticesOf('body');
  const eyes = EYES.flatMap(verticesOf);
  const pointOf = new Map([...body, ...eyes].map((vertex, point) => [vertex, point]));
  const joints = new Map(jointNames.map((name, i) => [name, pointOf.size + i]));
  return {
    part: [
      ...body.map(() => 'body' as const),
      ...eyes.map(() => 'eye' as const),
      ...jointNames.map(() => 'joint' as const),
    ],
    vertices: [...[...body, ...eyes].map((v) => [v]), ...jointNames.map(verticesOf)],
    joints,
    pointOf,
  };
}

/** A table whose columns say what they have of a row. */
function table<Row>(
  file: string,
  rows: readonly Row[],
  columns: readonly (readonly [
    ...TableColumn,
    of: (row: Row, index: number) => Cell | undefined,
  ])[],
): OutputTable {
  return {
    file,
    columns: columns.map(([name, meaning]) => [name, meaning]),
    rows: rows.map((row, i) => columns.map(([, , of]) => of(row, i) ?? null)),
  };
}

const POINT = ['point', 'point, counted from 0'] as const;

/** All tables. */
function tablesOf(assets: AssetFolder): OutputTable[] {
  const mesh = assets.baseMesh();
  const bones = assets.bones();
  const jointNames = [...new Set(bones.flatMap(({ head, tail }) => [head, tail]))].sort();
  const points = pointsOf(mesh, jointNames);
  const pointOf = (vertex: number): number => points.pointOf.get(vertex) ?? -1;
  const targets = new Map<string, Target>();
  const targetOf = (name: string): Target => {
    const target = targets.get(name) ?? assets.target(name);
    targets.set(name, target);
    return target;
  };
  const modes = modesOf(assets);
  const positions = points.vertices.map((vertices) =>
    [0, 1, 2].map((axis) => {
      const sum = vertices.reduce((mm, v) => mm + (mesh.positions[v]?.[axis] ?? Number.NaN), 0);
      return Number((sum / vertices.length).toFixed(3));
    }),
  );
  const weights = assets.weights();
  const influences = bones
    .flatMap(({ name }) =>
      (weights[name] ?? []).map(([vertex, weight]) => ({ point: pointOf(vertex), name, weight })),
    )
    .filter(({ point, weight }) => point >= 0 && weight > 0)
    .sort((a, b) => a.point - b.point || compareText(a.name, b.name));
  const faces = (part: string, groups: readonly string[]) =>
    groups
      .flatMap((group) => mesh.groups.get(group) ?? [])
      .map((face) => ({ part, corners: face.map(pointOf), uvs: mesh.uvs.get(face)?.flat() ?? [] }));
  type Face = ReturnType<typeof faces>[number];
  const moves = modes.flatMap((mode, i) =>
    displacements(mode, targetOf, points.vertices).map((row) => [i, ...row]),
  );
  return [
    table('points.csv.gz', positions, [
      [...POINT, (_, i) => i],
      ['part', 'body, eye or joint', (_, i) => points.part[i]],
      ['x_mm', 'to the left of the body', ([x]) => x],
      ['y_mm', 'up', ([, y]) => y],
      ['z_mm', 'forward', ([, , z]) => z],
    ]),
    table(
      'faces.csv.gz',
      [...faces('body', ['body']), ...faces('eye', EYES)],
      [
        ['part', 'body or eye', ({ part }) => part],
        ...['a', 'b', 'c', 'd'].map((name, i) => {
          const meaning = 'point of a corner, counterclockwise from outside';
          return [name, meaning, ({ corners }: Face) => corners[i]] as const;
        }),
        ...['a_u', 'a_v', 'b_u', 'b_v', 'c_u', 'c_v', 'd_u', 'd_v'].map((name, i) => {
          const meaning = 'place of the corner in textures: u to the right, v up, from 0 to 1';
          return [name, meaning, ({ uvs }: Face) => uvs[i]] as const;
        }),
      ],
    ),
    table('bones.csv', bones, [
      ['bone', 'name of the bone', ({ name }) => name],
      ['parent', 'bone that carries it; empty for the first', ({ parent }) => parent],
      ['head', 'point of the joint at its start', ({ head }) => points.joints.get(head)],
      ['tail', 'point of the joint at its end', ({ tail }) => points.joints.get(tail)],
    ]),
    table('weights.csv.gz', influences, [
      [...POINT, ({ point }) => point],
      ['bone', 'bone that moves it', ({ name }) => name],
      ['weight', 'share of the bone; the shares of a point sum to 1', ({ weight }) => weight],
    ]),
    table('landmarks.csv', landmarksOf(mesh), [
      ['landmark', 'name; _l is left, _r right', ({ name }) => name],
      [...POINT, ({ vertex }) => pointOf(vertex)],
      ['meaning', 'what it is', ({ meaning }) => meaning],
    ]),
    table('modes.csv', modes, [
      ['mode', 'mode, counted from 0', (_, i) => i],
      ['kind', 'race, universal or local', ({ kind }) => kind],
      ['name', 'name of the mode', ({ name }) => name],
      ['gender', 'Male or Female; empty for local modes', ({ gender }) => gender],
      ['age', 'baby, child, young or old; empty for local modes', ({ age }) => age],
      ['muscle', 'level of universal modes', ({ muscle }) => muscle],
      ['weight', 'level of universal modes', ({ weight }) => weight],
      ['unit_mm', 'unit of the displacements, mm', ({ unitMm }) => unitMm],
    ]),
    {
      file: 'displacements.csv.gz',
      columns: [
        ['mode', 'mode'],
        POINT,
        ['x', 'displacement in units of the mode; points that do not move are left out'],
        ['y', 'as x'],
        ['z', 'as x'],
      ],
      rows: moves,
    },
  ];
}

/**
 * Imports MakeHuman's body: checks the files of a folder, and replaces `<to>/makehuman` by our own tables.
 *
 * @param folder contains base.obj, targets/, rig.game_engine.json and weights.game_engine.json
 * @throws ImportRefusal if a file is missing, unexpected or without a statement of CC0
 */
export async function importMakehuman(
  folder: string,
  options: { readonly to: string; readonly date: string; readonly log: (line: string) => void },
): Promise<void> {
  const assets = new AssetFolder(folder);
  const tables = tablesOf(assets);
  await renewSource(options, MAKEHUMAN, assets.digests, tables);
  for (const { file, rows } of tables) options.log(`makehuman: ${file}: ${rows.length} rows`);
}
