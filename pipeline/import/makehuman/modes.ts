import type { AssetFolder, Target } from './read-assets.js';

/** The displacement of all points if the weight of the mode is 1. */
export interface Mode {
  /**
   * Kind of the mode. `race`: mean of the races. `universal`: muscle and weight of everybody. `local`: a local change.
   */
  readonly kind: 'race' | 'universal' | 'local';
  readonly name: string;
  /** Targets and their coefficients; the mode is their sum. */
  readonly terms: readonly (readonly [target: string, coefficient: number])[];
  /**
   * Unit of the integers in the table, in mm. There are two units, because the race modes move the points of children
   * by over 1 m.
   */
  readonly unitMm: number;
  readonly gender?: string;
  readonly age?: string;
  readonly muscle?: string;
  readonly weight?: string;
}

/** Ages of MakeHuman's macro targets, with the ages in years that they have in the model. */
export const MACRO_AGES = { baby: 1, child: 10, young: 25, old: 90 } as const;

const GENDERS = { Female: 'female', Male: 'male' } as const;
const RACES = ['african', 'asian', 'caucasian'] as const;
const MUSCLES = ['minmuscle', 'averagemuscle', 'maxmuscle'] as const;
const WEIGHTS = ['minweight', 'averageweight', 'maxweight'] as const;

/** Endings of the names of two targets that are opposite to each other. */
const OPPOSITES = [
  ['-incr', '-decr'],
  ['-up', '-down'],
] as const;

/** All modes in the order of the tables. A body without a race is the mean of the three races. */
export function modesOf(assets: AssetFolder): Mode[] {
  const modes: Mode[] = [];
  const cells = Object.entries(GENDERS).flatMap(([gender, prefix]) =>
    Object.keys(MACRO_AGES).map((age) => ({ gender, age, prefix })),
  );
  for (const { gender, age, prefix } of cells) {
    const terms = RACES.map((race) => [`macrodetails/${race}-${prefix}-${age}`, 1 / 3] as const);
    modes.push({ kind: 'race', name: `race-${prefix}-${age}`, terms, unitMm: 0.04, gender, age });
  }
  for (const { gender, age, prefix } of cells) {
    for (const muscle of MUSCLES) {
      for (const weight of WEIGHTS) {
        const name = `universal-${prefix}-${age}-${muscle}-${weight}`;
        const terms = [[`macrodetails/${name}`, 1] as const];
        modes.push({ kind: 'universal', name, terms, unitMm: 0.02, gender, age, muscle, weight });
      }
    }
  }
  const folders = [
    'armslegs',
    'breast',
    'buttocks',
    'head',
    'hip',
    'measure',
    'neck',
    'stomach',
    'torso',
  ];
  const names = new Set(folders.flatMap((folder) => assets.targets(folder)));
  for (const name of [...names].sort()) {
    for (const [more, less] of OPPOSITES) {
      const opposite = name.replace(new RegExp(`${more}$`), less);
      if (!name.endsWith(more) || !names.has(opposite)) continue;
      const left = name.replace('armslegs/l-', 'armslegs/r-');
      if (name.startsWith('armslegs/r-')) continue;
      const pairs =
        left === name
          ? [[name, opposite]]
          : [
              [name, opposite],
              [left, left.replace(new RegExp(`${more}$`), less)],
            ];
      const terms = pairs.flatMap(([a = '', b = '']) => [[a, 0.5] as const, [b, -0.5] as const]);
      const stem = name
        .slice(name.indexOf('/') + 1)
        .replace(/^l-/, '')
        .replace(new RegExp(`${more}$`), '');
      modes.push({ kind: 'local', name: stem, terms, unitMm: 0.02 });
    }
  }
  return modes;
}

/** The displacement of each point of the table, as x, y, z in whole units of the mode. */
export function displacements(
  mode: Mode,
  targetOf: (name: string) => Target,
  points: readonly (readonly number[])[],
): [point: number, x: number, y: number, z: number][] {
  const terms = mode.terms.map(([name, coefficient]) => [targetOf(name), coefficient] as const);
  const rows: [number, number, number, number][] = [];
  points.forEach((vertices, point) => {
    const sum = [0, 0, 0];
    for (const [target, coefficient] of terms) {
      for (const vertex of vertices) {
        const moved = target.get(vertex);
        if (moved === undefined) continue;
        for (let axis = 0; axis < 3; axis++) {
          sum[axis] =
            (sum[axis] as number) + (coefficient / vertices.length) * (moved[axis] as number);
        }
      }
    }
    const [x = 0, y = 0, z = 0] = sum.map((mm) => Math.round(mm / mode.unitMm) + 0);
    if (x !== 0 || y !== 0 || z !== 0) rows.push([point, x, y, z]);
  });
  return rows;
}
