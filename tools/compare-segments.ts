// Writes the comparison of segments with published ones into docs/body.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Body } from '../src/body/body.js';
import { type Segment, type SegmentName, segmentsOf } from '../src/body/segments.js';
import { across, cross, minus, unit, type Vector } from '../src/body/vectors.js';
import type { Gender } from '../src/core/genders.js';
import { projectDir } from '../src/core/project-dir.js';
import { openArtifact } from '../src/lookup/open-artifact.js';
import { bodyOptionsOf, buildBody } from '../src/operations/built-body.js';
import { PredictionModel } from '../src/operations/prediction-model.js';

const DOCUMENT = join(projectDir(), 'docs/body.md');
const BLOCK = /(<!-- segments: begin -->\n)[\s\S]*(<!-- segments: end -->)/;

/**
 * The people of Zatsiorsky, Seluyanov and Chugunova 1990 with their mean stature and mass, and the masses of their
 * segments in percent of the body, as adjusted by de Leva 1996 (Journal of Biomechanics 29:1223, table 4).
 */
const PUBLISHED = {
  Male: { age: 24, statureMm: 1741, massKg: 73.0 },
  Female: { age: 19, statureMm: 1735, massKg: 61.9 },
} as const satisfies Record<Gender, object>;
const SHARES: readonly (readonly [
  of: string,
  segment: SegmentName,
  male: number,
  female: number,
])[] = [
  ['head and neck', 'head_and_neck', 6.94, 6.68],
  ['upper trunk', 'upper_trunk', 15.96, 15.45],
  ['middle trunk', 'middle_trunk', 16.33, 14.65],
  ['lower trunk', 'lower_trunk', 11.17, 12.47],
  ['upper arm', 'upper_arm_l', 2.71, 2.55],
  ['forearm', 'forearm_l', 1.62, 1.38],
  ['hand', 'hand_l', 0.61, 0.56],
  ['thigh', 'thigh_l', 14.16, 14.78],
  ['shank', 'shank_l', 4.33, 4.81],
  ['foot', 'foot_l', 1.37, 1.29],
];

/** Length in mm and radii of gyration in percent of it about the sagittal, transverse and longitudinal axis (table 4). */
const RADII = [
  [
    'upper arm',
    'upper_arm_l',
    'upperarm_l',
    'lowerarm_l',
    [281.7, 28.5, 26.9, 15.8],
    [275.1, 27.8, 26.0, 14.8],
  ],
  [
    'forearm',
    'forearm_l',
    'lowerarm_l',
    'hand_l',
    [268.9, 27.6, 26.5, 12.1],
    [264.3, 26.1, 25.7, 9.4],
  ],
  ['thigh', 'thigh_l', 'thigh_l', 'calf_l', [422.2, 32.9, 32.9, 14.9], [368.5, 36.9, 36.4, 16.2]],
  ['shank', 'shank_l', 'calf_l', 'foot_l', [434.0, 25.5, 24.9, 10.3], [432.3, 27.1, 26.7, 9.3]],
] as const;

/** Radii of gyration of a segment in mm, about its sagittal, transverse and longitudinal axis. */
function radiiOf({ bones }: Body, { inertia, massKg }: Segment, from: string, to: string) {
  const at = (name: string) => bones.find((bone) => bone.name === name)?.head as Vector;
  const along = unit(minus(at(to), at(from)));
  const sagittal = across([0, 0, 1], along);
  const [xx, yy, zz, xy, xz, yz] = inertia as [number, number, number, number, number, number];
  return [sagittal, cross(along, sagittal), along].map(([x, y, z]) => {
    const moment =
      x * x * xx + y * y * yy + z * z * zz + 2 * (x * y * xy + x * z * xz + y * z * yz);
    return 1000 * Math.sqrt(moment / massKg);
  });
}

/** The tables of shares of body mass and of radii of gyration, of bodies of the stature and mass of the published ones. */
export function segmentTables(artifacts: string): string {
  const model = new PredictionModel(openArtifact(artifacts));
  const bodyOf = (gender: Gender) => {
    const { age, statureMm, massKg } = PUBLISHED[gender];
    const known = [
      { measurement: 'Stature' as const, value: statureMm },
      { measurement: 'BodyMass' as const, value: massKg },
    ];
    const person = { gender, age, country: 'RU', known } as const;
    const built = buildBody(person, bodyOptionsOf({}), model, '/person');
    const body = model.bodies().mesh(built.fitted, 'standing', 'full');
    const segments = segmentsOf(body);
    const whole = segments.reduce((sum, segment) => sum + segment.massKg, 0);
    const own = (name: SegmentName) => segments.find((one) => one.name === name) as Segment;
    return {
      share: (name: SegmentName): string => ((100 * own(name).massKg) / whole).toFixed(1),
      radii: (name: SegmentName, from: string, to: string, published: readonly number[]): string =>
        radiiOf(body, own(name), from, to)
          .map((mm, i) =>
            (mm / (((published[i + 1] as number) / 100) * (published[0] as number))).toFixed(2),
          )
          .join(' | '),
    };
  };
  const [man, woman] = [bodyOf('Male'), bodyOf('Female')];
  return [
    '| share of body mass, % | man | de Leva | woman | de Leva |',
    '| --- | --- | --- | --- | --- |',
    ...SHARES.map(
      ([of, segment, male, female]) =>
        `| ${of} | ${man.share(segment)} | ${male.toFixed(1)} | ${woman.share(segment)} | ${female.toFixed(1)} |`,
    ),
    '',
    '| radius of gyration ÷ de Leva’s | man: sagittal | transverse | longitudinal | woman: sagittal | transverse | longitudinal |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...RADII.map(
      ([of, segment, from, to, male, female]) =>
        `| ${of} | ${man.radii(segment, from, to, male)} | ${woman.radii(segment, from, to, female)} |`,
    ),
  ].join('\n');
}

/** The document with a table in its place. */
export function withTable(document: string, table: string): string {
  return document.replace(BLOCK, (_, begin, end) => `${begin}\n${table}\n\n${end}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const table = segmentTables(join(projectDir(), 'data/artifacts'));
  writeFileSync(DOCUMENT, withTable(readFileSync(DOCUMENT, 'utf8'), table));
}
