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

const GENDERS = { Female: 'female', Male: 'male' } as const;
/** Ages of MakeHuman's macro targets. */
const AGES = ['baby', 'child', 'young', 'old'] as const;
const RACES = ['african', 'asian', 'caucasian'] as const;
const MUSCLES = ['minmuscle', 'averagemuscle', 'maxmuscle'] as const;
const WEIGHTS = ['minweight', 'averageweight', 'maxweight'] as const;

/** Endings of the names of two targets that are opposite to each other. */
const OPPOSITES = [
  ['-incr', '-decr'],
  ['-up', '-down'],
] as const;

/** Folders of the targets of local modes. */
const FOLDERS = [
  ...['armslegs', 'breast', 'buttocks', 'head', 'hip', 'measure', 'neck', 'stomach', 'torso'],
];

/** All modes in the order of the tables. A body without a race is the mean of the three races. */
export function modesOf(assets: AssetFolder): Mode[] {
  const modes: Mode[] = [];
  const cells = Object.entries(GENDERS).flatMap(([gender, prefix]) =>
    AGES.map((age) => ({ gender, age, prefix })),
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
  const names = new Set(FOLDERS.flatMap((folder) => assets.targets(folder)));
  for (const name of [...names].sort()) {
    for (const [more, less] of OPPOSITES) {
      if (!name.endsWith(more) || name.startsWith('armslegs/r-')) continue;
      const left = name.slice(0, -more.length);
      if (!names.has(left + less)) continue;
      const sides = new Set([left, left.replace('armslegs/l-', 'armslegs/r-')]);
      const terms = [...sides].flatMap((side) => [
        [side + more, 0.5] as const,
        [side + less, -0.5] as const,
      ]);
      const stem = left.slice(left.indexOf('/') + 1).replace(/^l-/, '');
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
