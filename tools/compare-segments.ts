// Writes the comparison of segments with published ones into docs/body.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type SegmentName, segmentsOf } from '../src/body/segments.js';
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

/** The table of shares of body mass, published and of bodies of the same stature and mass. */
export function segmentTable(artifacts: string): string {
  const model = new PredictionModel(openArtifact(artifacts));
  const shareOf = (gender: Gender) => {
    const { age, statureMm, massKg } = PUBLISHED[gender];
    const known = [
      { measurement: 'Stature' as const, value: statureMm },
      { measurement: 'BodyMass' as const, value: massKg },
    ];
    const person = { gender, age, country: 'RU', known } as const;
    const built = buildBody(person, bodyOptionsOf({}), model, '/person');
    const segments = segmentsOf(model.bodies().mesh(built.fitted, 'standing', 'full'));
    const whole = segments.reduce((sum, segment) => sum + segment.massKg, 0);
    return (name: SegmentName): string => {
      const own = segments.find((segment) => segment.name === name)?.massKg ?? Number.NaN;
      return ((100 * own) / whole).toFixed(1);
    };
  };
  const [man, woman] = [shareOf('Male'), shareOf('Female')];
  return [
    '| share of body mass, % | man | de Leva | woman | de Leva |',
    '| --- | --- | --- | --- | --- |',
    ...SHARES.map(
      ([of, segment, male, female]) =>
        `| ${of} | ${man(segment)} | ${male.toFixed(1)} | ${woman(segment)} | ${female.toFixed(1)} |`,
    ),
  ].join('\n');
}

/** The document with a table in its place. */
export function withTable(document: string, table: string): string {
  return document.replace(BLOCK, (_, begin, end) => `${begin}\n${table}\n\n${end}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const table = segmentTable(join(projectDir(), 'data/artifacts'));
  writeFileSync(DOCUMENT, withTable(readFileSync(DOCUMENT, 'utf8'), table));
}
