import { gzipSync } from 'node:zlib';
import type { Cell, OutputTable } from '../importer.js';
import { csvText, replaceSource, sourceText } from '../output.js';
import { landmarksOf } from './landmarks.js';
import { displacements, modesOf } from './modes.js';
import { AssetFolder, type BaseMesh, type Target } from './read-assets.js';

/** Commits of the files, for SOURCE.md. */
const MAKEHUMAN_COMMIT = 'a8bc2d54ff0ac92e78ff71431b1023eda42bf482';
const MPFB2_COMMIT = '80919fa4682335c41847f761a4d79dcad4124732';

/** The importer of MakeHuman's body. Unlike for a survey, the input is a folder of 297 files. */
export const MAKEHUMAN = {
  source: 'makehuman',
  title: 'MakeHuman: a body with shapes, a skeleton and skin weights',
  citation:
    'MakeHuman Community. Base mesh hm08 and targets of MakeHuman, and rig and weights game_engine of MPFB2. 2020–2026. https://www.makehumancommunity.org',
  licence: 'CC0 1.0 Universal',
  notes: [
    `\`base.obj\` and \`targets\` are from github.com/makehumancommunity/makehuman, commit ${MAKEHUMAN_COMMIT} (2024-06-26), folders \`makehuman/data/3dobjs\` and \`makehuman/data/targets\`. The targets were compressed with gzip and are otherwise unchanged. \`rig.game_engine.json\` and \`weights.game_engine.json\` are from github.com/makehumancommunity/mpfb2, commit ${MPFB2_COMMIT} (2026-07-16), folder \`src/mpfb/data/rigs/standard\`.`,
    'Statements of the licence: the header of `base.obj` and of every target says "This asset was explicitly released as CC0 in september 2020"; `weights.game_engine.json` says `"license": "CC0"`; section C of the `LICENSE.md` of both repositories puts the base mesh, the targets ("sliders") and the rigs under CC0 1.0. No program code of either repository was used.',
    'A point is a vertex of the body, a vertex of an eye, or a joint. A joint is the mean of the vertices of its cube in the base mesh, so its displacement is the mean of theirs. Helpers, clothes, teeth and lashes were left out.',
    'A race mode is the mean of the three races of MakeHuman. A local mode is half the difference of a pair of opposite targets; pairs of the left and the right side are one mode.',
    'Displacements are whole units of the mode (`unit_mm`). Those of race modes reach 1067 mm.',
    'The vertices of the landmarks were chosen by hand on the mean adult of the mesh.',
  ],
} as const;

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

const pointColumn = { name: 'point', meaning: 'point, counted from 0' };

/** All tables. Tables whose names end with `.gz` are compressed. */
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
  const influences: Cell[][] = [];
  for (const { name } of bones) {
    for (const [vertex, weight] of weights[name] ?? []) {
      if (pointOf(vertex) >= 0 && weight > 0) influences.push([pointOf(vertex), name, weight]);
    }
  }
  influences.sort((a, b) => Number(a[0]) - Number(b[0]) || (String(a[1]) < String(b[1]) ? -1 : 1));
  const faces = (part: string, groups: readonly string[]): Cell[][] =>
    groups
      .flatMap((group) => mesh.groups.get(group) ?? [])
      .map((face) => [part, ...face.map(pointOf)]);
  return [
    {
      file: 'points.csv.gz',
      columns: [
        pointColumn,
        { name: 'part', meaning: 'body, eye or joint' },
        { name: 'x_mm', meaning: 'to the left of the body' },
        { name: 'y_mm', meaning: 'up' },
        { name: 'z_mm', meaning: 'forward' },
      ],
      rows: positions.map((position, i) => [i, points.part[i] ?? null, ...position]),
    },
    {
      file: 'faces.csv.gz',
      columns: [
        { name: 'part', meaning: 'body or eye' },
        ...['a', 'b', 'c', 'd'].map((name) => ({
          name,
          meaning: 'point of a corner, counterclockwise from outside',
        })),
      ],
      rows: [...faces('body', ['body']), ...faces('eye', EYES)],
    },
    {
      file: 'bones.csv',
      columns: [
        { name: 'bone', meaning: 'name of the bone' },
        { name: 'parent', meaning: 'bone that carries it; empty for the first' },
        { name: 'head', meaning: 'point of the joint at its start' },
        { name: 'tail', meaning: 'point of the joint at its end' },
      ],
      rows: bones.map(({ name, parent, head, tail }) => [
        name,
        parent === '' ? null : parent,
        points.joints.get(head) ?? null,
        points.joints.get(tail) ?? null,
      ]),
    },
    {
      file: 'weights.csv.gz',
      columns: [
        pointColumn,
        { name: 'bone', meaning: 'bone that moves it' },
        { name: 'weight', meaning: 'share of the bone; the shares of a point sum to 1' },
      ],
      rows: influences,
    },
    {
      file: 'landmarks.csv',
      columns: [
        { name: 'landmark', meaning: 'name; _l is left, _r right' },
        pointColumn,
        { name: 'meaning', meaning: 'what it is' },
      ],
      rows: landmarksOf(mesh).map(({ name, vertex, meaning }) => [name, pointOf(vertex), meaning]),
    },
    {
      file: 'modes.csv',
      columns: [
        { name: 'mode', meaning: 'mode, counted from 0' },
        { name: 'kind', meaning: 'race, universal or local' },
        { name: 'name', meaning: 'name of the mode' },
        { name: 'gender', meaning: 'Male or Female; empty for local modes' },
        { name: 'age', meaning: 'baby, child, young or old; empty for local modes' },
        { name: 'muscle', meaning: 'level of universal modes' },
        { name: 'weight', meaning: 'level of universal modes' },
        { name: 'unit_mm', meaning: 'unit of the displacements, mm' },
      ],
      rows: modes.map((mode, i) => [
        i,
        mode.kind,
        mode.name,
        mode.gender ?? null,
        mode.age ?? null,
        mode.muscle ?? null,
        mode.weight ?? null,
        mode.unitMm,
      ]),
    },
    {
      file: 'displacements.csv.gz',
      columns: [
        { name: 'mode', meaning: 'mode' },
        pointColumn,
        {
          name: 'x',
          meaning: 'displacement in units of the mode; points that do not move are left out',
        },
        { name: 'y', meaning: 'as x' },
        { name: 'z', meaning: 'as x' },
      ],
      rows: modes.flatMap((mode, i) =>
        displacements(mode, targetOf, points.vertices).map((row) => [i, ...row]),
      ),
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
  const written = new Map<string, string | Uint8Array>();
  for (const table of tables) {
    const text = csvText(table);
    written.set(table.file, table.file.endsWith('.gz') ? gzipSync(text, { level: 9 }) : text);
  }
  written.set('SOURCE.md', sourceText(MAKEHUMAN, options.date, assets.digests, tables));
  await replaceSource(options.to, MAKEHUMAN.source, written);
  for (const { file, rows } of tables) options.log(`makehuman: ${file}: ${rows.length} rows`);
}
