import { MeshoptSimplifier } from 'meshoptimizer';
import { ramp } from '../../src/body/vectors.js';
import { GENDERS } from '../../src/core/genders.js';
import {
  INFLUENCES,
  MACRO_LEVELS,
  type ShapeHeader,
  type ShapeViews,
  UV_UNITS,
  WEIGHT_UNITS,
} from '../../src/lookup/shape-file.js';
import { BuildFault } from '../plans/build-fault.js';
import { closeMouth } from './close-mouth.js';
import { keepToes } from './keep-toes.js';
import { type BodyTables, type RawMode, readBodyTables } from './read-tables.js';
import { smoothAnatomy } from './smooth-anatomy.js';
import { cutSuit, MATERIALS, type Materials, type Suited } from './suit.js';

/**
 * Years of MakeHuman's ages. MakeHuman calls the baby one year old, but the baby is 602 mm tall, as newborn
 * children are. MakeHuman calls the young adult 25 years old, but people are grown up at about 20. With the
 * years below, the fit of median Americans of 1 to 20 years costs least at their own age, within a year
 * (`docs/body.md`).
 */
const AGES = { baby: 0, child: 10, young: 20, old: 90 } as const;
const MUSCLES = ['minmuscle', 'averagemuscle', 'maxmuscle'];
const WEIGHTS = ['minweight', 'averageweight', 'maxweight'];
/** The largest value of a signed number of 16 bits. */
const INT16_MOST = 32_767;
/**
 * Shares of the triangles that a light body keeps. The suit keeps more, because most tapes lie on it.
 * `error` is the largest error as a share of the body's size.
 */
const LIGHT = { skin: 0.265, suit: 0.45, error: 0.01 };

/**
 * Builds the body of the artifact from the tables of `data/raw/makehuman`. The nipples and the navel are
 * smoothed, and suit and irises are cut. Each vertex keeps its four largest influences. Each mode has its own unit,
 * so that 16 bits hold its largest displacement. `withOpenness` adds the openness.
 *
 * @throws BuildFault when a table is faulty
 */
export async function buildShape(rawDir: string): Promise<ShapeViews> {
  const read = readBodyTables(rawDir);
  const tables = { ...read, faces: closeMouth(read) };
  smoothAnatomy(tables);
  keepToes(tables);
  const surface = tables.parts.indexOf('joint');
  const suited = cutSuit(tables, surface);
  const layout = { surface, hem: suited.hem, joints: tables.parts.length - surface };
  const vertices = surface + suited.hem.length;
  const bones = tables.bones.map(({ name, parent, head, tail }) => ({
    name,
    parent: tables.bones.findIndex((bone) => bone.name === parent),
    head: head - surface,
    tail: tail - surface,
  }));
  const macros = macroModes(tables.modes);
  const locals = tables.modes.filter(({ kind }) => kind === 'local');
  const positions = Float32Array.from(withHem(tables.positions, layout));
  const surfaceOnly = positions.subarray(0, 3 * vertices);
  const jointAt = (name: string): Point => {
    const head = bones.find((bone) => bone.name === name)?.head;
    if (head === undefined) throw new Error(`no bone ${name}`);
    return pointAt(positions, vertices + head);
  };
  const kept = besideTape(surfaceOnly, tables.landmarks, jointAt);
  const light = await lighten(suited, surfaceOnly, kept);
  const corners = (by: Materials) =>
    MATERIALS.flatMap((name) => by[name].map((number) => suited.corners[number]));
  const [full, fewer] = [corners(suited), corners(light)];
  const header: ShapeHeader = {
    vertices,
    joints: layout.joints,
    bones,
    landmarks: tables.landmarks,
    agesYears: Object.values(AGES),
    localModes: locals.map(({ name }) => name),
    materials: materialsOf(suited),
    lightMaterials: materialsOf(light),
  };
  return {
    header,
    positions,
    ...dense(macros.map(({ moves }) => withHem(moves, layout))),
    ...sparse(locals.map(({ moves }) => withHem(moves, layout))),
    ...influences(tables, suited.hem),
    triangles: Uint16Array.from(full, ({ point }) => point),
    lightTriangles: Uint16Array.from(fewer, ({ point }) => point),
    uv: Uint16Array.from(
      [...full, ...fewer].flatMap(({ u, v }) => [u, v].map((one) => Math.round(one * UV_UNITS))),
    ),
    openness: new Uint8Array(),
  };
}

function materialsOf(by: Materials): ShapeHeader['materials'] {
  return MATERIALS.map((name) => ({
    name,
    triangles: by[name].length / 3,
  }));
}

/** The macro modes in the order of `macroIndex`. */
function macroModes(modes: readonly RawMode[]): RawMode[] {
  const missing: string[] = [];
  const find = (want: Partial<RawMode>): RawMode => {
    const found = modes.find((mode) =>
      Object.entries(want).every(([key, value]) => mode[key as keyof RawMode] === value),
    );
    if (found === undefined) missing.push(JSON.stringify(want));
    return found as RawMode;
  };
  // The gender axis of the artifact begins with men.
  const list = GENDERS.flatMap((gender) =>
    Object.keys(AGES).flatMap((age) => [
      find({ kind: 'race', gender, age }),
      ...MUSCLES.flatMap((muscle) =>
        WEIGHTS.map((weight) => find({ kind: 'universal', gender, age, muscle, weight })),
      ),
    ]),
  );
  if (
    list.length !== GENDERS.length * Object.keys(AGES).length * (1 + MACRO_LEVELS ** 2) ||
    missing.length > 0
  ) {
    throw new BuildFault(missing.map((mode) => `makehuman/modes.csv has no mode ${mode}.`));
  }
  return list;
}

interface Layout {
  /** Vertices of body and eyes. */
  readonly surface: number;
  readonly hem: Suited['hem'];
  readonly joints: number;
}

/** Adds the vertices of the hems between the surface and the joints. Each point has three coordinates. */
function withHem(xyz: Float64Array, { surface, hem, joints }: Layout): Float64Array {
  const all = new Float64Array(3 * (surface + hem.length + joints));
  all.set(xyz.subarray(0, 3 * surface));
  hem.forEach(([from, to, share], i) => {
    for (let k = 0; k < 3; k++) {
      const [a, b] = [xyz[3 * from + k], xyz[3 * to + k]];
      all[3 * (surface + i) + k] = a + share * (b - a);
    }
  });
  all.set(xyz.subarray(3 * surface), 3 * (surface + hem.length));
  return all;
}

const largest = (values: Float64Array): number =>
  values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

function dense(modes: readonly Float64Array[]): Pick<ShapeViews, 'macro' | 'macroScale'> {
  const length = modes[0].length;
  const macro = new Int16Array(modes.length * length);
  const macroScale = Float32Array.from(modes, (moves) => largest(moves) / INT16_MOST);
  modes.forEach((moves, mode) => {
    const unit = macroScale[mode];
    for (let i = 0; i < length; i++) macro[mode * length + i] = Math.round(moves[i] / unit);
  });
  return { macro, macroScale };
}

function sparse(
  modes: readonly Float64Array[],
): Pick<ShapeViews, 'localStart' | 'localPoint' | 'localMove' | 'localScale'> {
  const start = [0];
  const points: number[] = [];
  const moved: number[] = [];
  const localScale = Float32Array.from(modes, (moves) => largest(moves) / INT16_MOST);
  modes.forEach((moves, mode) => {
    const unit = localScale[mode];
    for (let point = 0; point < moves.length / 3; point++) {
      const xyz = [0, 1, 2].map((k) => Math.round(moves[3 * point + k] / unit));
      if (xyz.every((value) => value === 0)) continue;
      points.push(point);
      moved.push(...xyz);
    }
    start.push(points.length);
  });
  return {
    localStart: Uint32Array.from(start),
    localPoint: Uint16Array.from(points),
    localMove: Int16Array.from(moved),
    localScale,
  };
}

/**
 * Averages the influences of the left and the right side. MakeHuman's two sides differ by up to a quarter
 * at the knee, so that the left knee of a sitting body was 2 mm lower than the right one. A vertex without
 * a mirrored vertex keeps its influences.
 */
function symmetric(
  lists: readonly ReadonlyMap<number, number>[],
  { positions, bones }: BodyTables,
): Map<number, number>[] {
  const key = (x: number, vertex: number): string =>
    [x, positions[3 * vertex + 1], positions[3 * vertex + 2]]
      .map((mm) => Math.round(10 * mm))
      .join(' ');
  const vertexAt = new Map(lists.map((_, vertex) => [key(positions[3 * vertex], vertex), vertex]));
  const boneOf = new Map(bones.map(({ name }, i) => [name, i]));
  const otherSide = bones.map(({ name }, i) => {
    const other = name.replace(/_[lr]$/, (side) => (side === '_l' ? '_r' : '_l'));
    return boneOf.get(other) ?? i;
  });
  return lists.map((own, vertex) => {
    const twin = lists[vertexAt.get(key(-positions[3 * vertex], vertex)) ?? -1];
    if (twin === undefined) return new Map(own);
    const mean = new Map([...own].map(([bone, weight]) => [bone, 0.5 * weight]));
    for (const [bone, weight] of twin) {
      const other = otherSide[bone];
      mean.set(other, (mean.get(other) ?? 0) + 0.5 * weight);
    }
    return mean;
  });
}

/**
 * Where the skin begins to follow the upper arm, and where it follows as far as MakeHuman says: mm beyond the shoulder
 * joint, along the bone.
 */
const ARM_FROM_MM = { none: -60, full: 50 } as const;

/**
 * Gives the skin above the joint of the shoulder to the collarbone. In MakeHuman, the acromion has 62 % and the
 * middle of the trapezius 18 % of the upper arm, so an arm that is lowered pulled the acromion down and outwards, and
 * the line from neck to shoulder bulged.
 */
function keepShoulders(
  lists: readonly Map<number, number>[],
  { positions, bones }: BodyTables,
): void {
  for (const side of ['l', 'r']) {
    const [arm, elbow, collarbone] = ['upperarm', 'lowerarm', 'clavicle'].map((part) =>
      bones.findIndex(({ name }) => name === `${part}_${side}`),
    );
    const at = (point: number): readonly number[] => [0, 1, 2].map((k) => positions[3 * point + k]);
    const joint = at(bones[arm].head);
    const way = at(bones[elbow].head).map((mm, k) => mm - joint[k]);
    const size = Math.hypot(...way);
    lists.forEach((list, vertex) => {
      const weight = list.get(arm);
      if (weight === undefined) return;
      const alongMm = at(vertex).reduce((sum, mm, k) => sum + ((mm - joint[k]) * way[k]) / size, 0);
      const { none, full } = ARM_FROM_MM;
      const kept = weight * ramp((alongMm - none) / (full - none));
      list.set(arm, kept);
      list.set(collarbone, (list.get(collarbone) ?? 0) + weight - kept);
    });
  }
}

/** The four largest influences of each vertex, in whole units that sum to `WEIGHT_UNITS`. */
function influences(
  tables: BodyTables,
  hem: Suited['hem'],
): Pick<ShapeViews, 'skinBone' | 'skinWeight'> {
  const boneOf = new Map(tables.bones.map(({ name }, i) => [name, i]));
  const lists = symmetric(
    tables.influences
      .slice(0, tables.parts.indexOf('joint'))
      .map((list) => new Map(list.map(([bone, weight]) => [boneOf.get(bone) as number, weight]))),
    tables,
  );
  keepShoulders(lists, tables);
  for (const [from, to, share] of hem) {
    const mixed = new Map<number, number>();
    for (const [end, part] of [
      [from, 1 - share],
      [to, share],
    ] as const) {
      for (const [bone, weight] of lists[end]) {
        mixed.set(bone, (mixed.get(bone) ?? 0) + part * weight);
      }
    }
    lists.push(mixed);
  }
  const skinBone = new Uint8Array(INFLUENCES * lists.length);
  const skinWeight = new Uint16Array(INFLUENCES * lists.length);
  lists.forEach((list, vertex) => {
    const kept = [...list].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, INFLUENCES);
    const sum = kept.reduce((total, [, weight]) => total + weight, 0);
    const units = kept.map(([, weight]) => Math.round((weight / sum) * WEIGHT_UNITS));
    units[0] = WEIGHT_UNITS - units.slice(1).reduce((total, unit) => total + unit, 0);
    kept.forEach(([bone], i) => {
      skinBone[INFLUENCES * vertex + i] = bone;
      skinWeight[INFLUENCES * vertex + i] = units[i];
    });
  });
  return { skinBone, skinWeight };
}

type Point = readonly [x: number, y: number, z: number];

function pointAt(positions: Float32Array, index: number): Point {
  const [x = 0, y = 0, z = 0] = positions.subarray(3 * index, 3 * index + 3);
  return [x, y, z];
}

/** Distances from the plane of a tape, in mm. A light body keeps the vertices that are nearer. */
const BESIDE_TAPE_MM = { trunk: 13, neck: 14 } as const;
/**
 * Plane of the tape around the neck: its place from the joint of the neck (0) to that of the head (1), and
 * its tilt.
 */
const LARYNX = { share: 0.55, tilt: 0.28 } as const;
/** Heights above the crotch at which the buttocks reach farthest back, as shares of the body height. */
const BUTTOCKS = [0.045, 0.062] as const;
/** Distance from the crotch down to the gluteal furrow, as a share of the body height. */
const FURROW = 0.018;

/**
 * Marks the vertices beside the tapes around neck, chest, waist, hips and thighs. Without them, triangles
 * with long edges would reach from the neck to the shoulders, and a tape would be up to 19 mm off.
 */
function besideTape(
  positions: Float32Array,
  landmarks: Readonly<Record<string, number>>,
  jointAt: (name: string) => Point,
): Uint8Array {
  const heightOf = (name: string): number => pointAt(positions, landmarks[name])[1];
  const size = heightOf('vertex') - heightOf('pternion_l');
  const crotch = heightOf('crotch');
  const levels = [
    heightOf('thelion_l'),
    heightOf('omphalion'),
    ...BUTTOCKS.map((up) => crotch + up * size),
    crotch - FURROW * size,
  ];
  const [skull, neck] = [jointAt('head'), jointAt('neck_01')];
  const larynx = skull.map((mm, k) => neck[k] + LARYNX.share * (mm - neck[k]));
  const beside = jointAt('upperarm_l')[0];
  const marks = new Uint8Array(positions.length / 3);
  for (let vertex = 0; vertex < marks.length; vertex++) {
    const [x, y, z] = pointAt(positions, vertex);
    const level = levels.some((height) => Math.abs(y - height) < BESIDE_TAPE_MM.trunk);
    const far = y - larynx[1] + LARYNX.tilt * (z - larynx[2]);
    if ((level && Math.abs(x) < beside) || Math.abs(far) < BESIDE_TAPE_MM.neck) marks[vertex] = 1;
  }
  return marks;
}

/** Reduces the triangles of each material. The hems stay, so that the materials meet without gaps. */
async function lighten(
  by: Suited,
  surface: Float32Array,
  besideTapes: Uint8Array,
): Promise<Materials> {
  await MeshoptSimplifier.ready;
  const positions = Float32Array.from(by.corners.flatMap(({ point }) => pointAt(surface, point)));
  const kept = Uint8Array.from(by.corners, ({ point }) => besideTapes[point]);
  const none = new Float32Array(positions.length / 3);
  const fewer = (triangles: readonly number[], share: number): number[] => {
    const count = 3 * Math.round((share * triangles.length) / 3);
    const indices = Uint32Array.from(triangles);
    const [left] = MeshoptSimplifier.simplifyWithAttributes(
      indices,
      ...([positions, 3, none, 1, [0], kept] as [
        Float32Array,
        3,
        Float32Array,
        1,
        [0],
        Uint8Array,
      ]),
      ...([count, LIGHT.error, ['LockBorder']] as [number, number, ['LockBorder']]),
    );
    return [...left];
  };
  return {
    skin: fewer(by.skin, LIGHT.skin),
    suit: fewer(by.suit, LIGHT.suit),
    eyes: by.eyes,
    iris: by.iris,
  };
}
