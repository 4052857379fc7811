import { zipSync } from 'fflate';
import Type, { type Static } from 'typebox';
import { DIMENSION_NAMES } from '../body/dimensions.js';
import { fault, Problem, said } from '../core/errors.js';
import { fingerprint } from '../core/fingerprint.js';
import { BODIES_LIMITS, BODIES_REQUEST_BYTES_MAX } from '../core/limits.js';
import { fromKg, fromMm } from '../core/units.js';
import { csvLines } from '../table-formats/csv.js';
import { BODY_COST, FILE_MS, FIT_MS } from './body.js';
import {
  type BodyFormat,
  bodyFileFields,
  bodyFormatField,
  bodyPersonFaults,
  bodyPersonField,
} from './body-request.js';
import { stanceFaults } from './body-stance.js';
import {
  BODY_CREDIT,
  type BodyAnswer,
  type BodyOptions,
  type BuiltBody,
  bodyFileOf,
  bodyOptionsOf,
  buildBody,
  reportOf,
} from './built-body.js';
import { answerFields, closedObject, DEFAULTS } from './fields.js';
import { defineOperation } from './operation.js';
import type { PredictionModel } from './prediction-model.js';

const request = closedObject({
  people: Type.Array(bodyPersonField, { ...BODIES_LIMITS, description: 'People to build.' }),
  ...bodyFileFields,
  format: bodyFormatField,
});

type Input = Static<typeof request>;

const response = Type.Object({
  bodies: Type.Array(
    Type.Object({
      person: answerFields.number('Number of the person in the request, from 1.'),
      file: Type.Optional(answerFields.text('Name of its file in the ZIP.')),
      status: answerFields.text('`built`, or the code of the refusal.'),
      worst: Type.Optional(answerFields.number('Largest difference, without its sign.')),
      detail: Type.Optional(
        answerFields.text('Why it was refused, or what is unusual or was moved of its values.'),
      ),
    }),
    { description: 'The people in the order asked.' },
  ),
  charged: answerFields.number('Credits that the bodies cost together.'),
});

/** POST /v1/bodies: several people as bodies in three dimensions. */
export const bodies = defineOperation({
  name: 'bodies',
  path: '/v1/bodies',
  title: 'Bodies',
  description: `Up to ${BODIES_LIMITS.maxItems} people as bodies in three dimensions: a ZIP with a file for each, people.csv, report.csv, LICENSE.txt, and segments.csv if asked. People that cannot be built are rows of report.csv and cost nothing. Mannequins fitted to numbers, not scans of anybody.`,
  toolDescription: '',
  toolPrice: '',
  outsideTools: true,
  command: { name: 'bodies', summary: 'several people as bodies in three dimensions' },
  price: `${BODY_COST} for each body built`,
  computed: true,
  bodyBytesMax: BODIES_REQUEST_BYTES_MAX,
  request,
  response,
  example: {
    people: [
      {
        name: 'small',
        gender: 'Female',
        age: 34,
        country: 'JP',
        known: [{ measurement: 'Stature', percentile: 5 }],
      },
      {
        name: 'large',
        gender: 'Male',
        age: 34,
        country: 'NL',
        known: [{ measurement: 'Stature', percentile: 95 }],
      },
    ],
    pose: 'sitting',
    format: 'glb',
  },
  refusals: {
    body_out_of_reach: {
      people: [
        {
          gender: 'Female',
          age: 34,
          measurements: { HipCircumferenceMax: 900, StandingHipBreadth: 600 },
        },
      ],
    },
  },
  check: (input) => [
    ...input.people.flatMap((person, i) => bodyPersonFaults(person, `/people/${i}`)),
    ...stanceFaults(
      input,
      input.people.map(({ measurements }, i) => [`/people/${i}`, measurements]),
    ),
  ],
  work: {
    ms: ({ people }) => (FIT_MS + FILE_MS) * people.length,
    mostMs: (FIT_MS + FILE_MS) * BODIES_LIMITS.maxItems,
    less: 'fewer people',
  },
  cost: ({ people }) => BODY_COST * people.length,
  charged: ({ charged }) => charged,
  run(input, model): Static<typeof response> {
    const options = bodyOptionsOf(input);
    const people = buildAll(input, options, model);
    const reports = people.map(({ built }) => built && reportOf(built, options, model));
    return answerOf(people, reports, options);
  },
  file: {
    types: { zip: 'application/zip' },
    alsoJson: false,
    formatOf: () => 'zip',
    async make(input, model) {
      const options = bodyOptionsOf(input);
      const people = buildAll(input, options, model);
      const { bytes, reports } = await zipOf(people, options, model);
      const asked = { operation: 'bodies', artifact: model.artifactVersion, ...options };
      const hash = fingerprint({ ...asked, people: input.people });
      const answer = answerOf(people, reports, options);
      return { bytes, answer, headers: { etag: `"${hash}"` }, cost: answer.charged };
    },
  },
});

/** Status of a person whose body was built. */
const BUILT = 'built';

/** A person of a request: built, or why not. */
type Outcome = { readonly person: Input['people'][number] } & (
  | { readonly built: BuiltBody; readonly problem?: undefined }
  | { readonly built?: undefined; readonly problem: Problem }
);

/**
 * Fits all people.
 *
 * @throws Problem `model_not_found` if the artifact has no mesh, `body_out_of_reach` if nobody can be built
 */
function buildAll(input: Input, options: BodyOptions, model: PredictionModel): readonly Outcome[] {
  model.bodies();
  const people = input.people.map((person, i): Outcome => {
    try {
      return { person, built: buildBody(person, options, model, `/people/${i}`) };
    } catch (problem) {
      if (problem instanceof Problem) return { person, problem };
      throw problem;
    }
  });
  const refused = people.flatMap(({ problem }, i) => {
    return problem === undefined
      ? []
      : [fault(`/people/${i}`)`${problem.code}: ${problem.sentence}`];
  });
  if (refused.length < people.length) return people;
  const why = people[0]?.problem?.sentence ?? '';
  const sentence = said`None of the people can be built. The first: ${why}`;
  throw new Problem('body_out_of_reach', sentence, { errors: refused });
}

type Reports = readonly (BodyAnswer | undefined)[];

/** The outcome for each person, and the price of the bodies. */
function answerOf(
  people: readonly Outcome[],
  reports: Reports,
  { format }: BodyOptions,
): Static<typeof response> {
  const built = people.filter((one) => one.built !== undefined);
  return {
    bodies: people.map(({ problem }, i) => {
      const report = reports[i];
      if (report === undefined) {
        return { person: i + 1, status: `${problem?.code}`, detail: `${problem?.message}` };
      }
      const { worst, note } = report;
      const detail = note === undefined ? {} : { detail: note };
      return { person: i + 1, file: fileName(i, format), status: BUILT, worst, ...detail };
    }),
    charged: BODY_COST * built.length,
  };
}

function fileName(index: number, format: BodyFormat): string {
  return `body-${String(index + 1).padStart(2, '0')}.${format}`;
}

const LICENSE = `${BODY_CREDIT}

The mesh, its shapes, the skeleton and the skin weights of these files come from MakeHuman
(https://www.makehumancommunity.org) and are under CC0 1.0 Universal
(https://creativecommons.org/publicdomain/zero/1.0/legalcode). They were fitted to the measurements in
people.csv; report.csv says how closely. You may use, change and pass on the files for any purpose, without
naming anybody.
`;

/** The date of every entry of the ZIP. It is the earliest date that the format allows. The format uses local time. */
const ENTRY_DATE = new Date(1980, 0, 1);
/** Compressing a GLB saves little. */
const LEVELS: Readonly<Record<BodyFormat, 0 | 6>> = {
  ...{ glb: 0, stl: 6, obj: 6, dxf: 6, mjcf: 6, json: 6 },
};

/** Packs the files of all people into a ZIP. The same people and options give the same bytes. */
async function zipOf(
  people: readonly Outcome[],
  options: BodyOptions,
  model: PredictionModel,
): Promise<{ readonly bytes: Uint8Array; readonly reports: Reports }> {
  const entries: Record<string, [Uint8Array, { level: 0 | 6; mtime: Date }]> = {};
  const add = (name: string, bytes: Uint8Array, level: 0 | 6) => {
    entries[name] = [bytes, { level, mtime: ENTRY_DATE }];
  };
  const reports: (BodyAnswer | undefined)[] = [];
  for (const [i, { built }] of people.entries()) {
    const file = built && (await bodyFileOf(built, options, model));
    reports.push(file?.report);
    if (file !== undefined) add(fileName(i, options.format), file.bytes, LEVELS[options.format]);
  }
  add('people.csv', Buffer.from(peopleCsv(people, options)), 6);
  add('report.csv', Buffer.from(reportCsv(people, reports, options)), 6);
  if (options.segments) add('segments.csv', Buffer.from(segmentsCsv(reports, options)), 6);
  add('LICENSE.txt', Buffer.from(LICENSE), 6);
  return { bytes: zipSync(entries), reports };
}

/** A table of the people of the request, with the measurements to which their bodies were fitted. */
function peopleCsv(people: readonly Outcome[], { unit, massUnit, format }: BodyOptions): string {
  const header = ['person', 'file', 'name', 'gender', 'age', 'country', 'unit', 'massUnit'];
  const rows = people.map(({ person, built }, i) => {
    const { name = '', gender, age, country = DEFAULTS.country } = person;
    const values = DIMENSION_NAMES.map((dimension) => {
      const valueMm = built?.asked.dimensions.get(dimension);
      return valueMm === undefined ? '' : fromMm(valueMm, unit);
    });
    const massKg = built?.asked.massKg;
    const mass = massKg === undefined ? '' : fromKg(massKg, massUnit);
    const file = built === undefined ? '' : fileName(i, format);
    return [i + 1, file, name, gender, age, country, unit, massUnit, ...values, mass];
  });
  return csvLines([[...header, ...DIMENSION_NAMES, 'BodyMass'], ...rows]);
}

const SEGMENT_COLUMNS = [
  ...['person', 'segment', 'massKg', 'x', 'y', 'z', 'unit'],
  ...['xx', 'yy', 'zz', 'xy', 'xz', 'yz'],
] as const;

/** A table with a row for each segment of each body: mass, centre of mass, and inertia in kg·m². */
function segmentsCsv(reports: Reports, { unit }: BodyOptions): string {
  const rows = reports.flatMap((report, i) =>
    (report?.segments ?? []).map(({ segment, mass, centre, inertia }) => [
      ...[i + 1, segment, mass, ...centre, unit, ...inertia],
    ]),
  );
  return csvLines([[...SEGMENT_COLUMNS], ...rows]);
}

const REPORT_COLUMNS = [
  ...['person', 'file', 'name', 'status', 'measurement', 'asked', 'achieved', 'difference'],
  ...[
    'height',
    'normal',
    'pose',
    'unit',
    'volume',
    'mass',
    'massUnit',
    'density',
    'worst',
    'artifact',
    'detail',
  ],
] as const;

/** A table with a row for each dimension of each body, and a row for each person who was refused. */
function reportCsv(
  people: readonly Outcome[],
  reports: Reports,
  { unit, massUnit, format }: BodyOptions,
): string {
  const rows = people.flatMap(({ person, problem }, i) => {
    const { name = '' } = person;
    const report = reports[i];
    if (report === undefined) {
      const { code = '', message = '', extras = {} } = problem ?? {};
      const none = new Array<string>(5).fill('');
      const refused = [i + 1, '', name, code, ...none, '', '', unit, ...none, '', message];
      const residuals = (extras.residuals ?? []).map(
        ({ measurement, asked, achieved, difference }) => [
          ...[i + 1, '', name, code, measurement, asked, achieved, difference, '', '', '', unit],
          ...[...none, '', ''],
        ],
      );
      return [refused, ...residuals];
    }
    const { volume, mass, density, worst, artifact, note = '' } = report;
    return report.measurements.map(
      ({ measurement, asked, achieved, difference, height = '', normal = [], pose = '' }) => [
        ...[i + 1, fileName(i, format), name, BUILT, measurement],
        ...[asked ?? '', achieved, difference ?? '', height, normal.join(' '), pose],
        measurement === 'BodyMass' ? massUnit : unit,
        ...[volume, mass, massUnit, density, worst, artifact, note],
      ],
    );
  });
  return csvLines([[...REPORT_COLUMNS], ...rows]);
}
