import Type, { type Static } from 'typebox';
import { wrong } from '../core/errors.js';
import { fingerprint } from '../core/fingerprint.js';
import { PERCENT_LIMITS } from '../core/limits.js';
import { fromMm, toMm } from '../core/units.js';
import {
  CURVE_STEP,
  envelopeMeasurements,
  reachEnvelope as findEnvelope,
  SURFACE_STEP,
} from '../reach/envelope.js';
import { LEANS, REACH_POSES, TIPS } from '../reach/sitter.js';
import {
  type AskedEnvelope,
  ENVELOPE_TYPES,
  type EnvelopeFormat,
  envelopeFile,
} from './envelope-files.js';
import { answerFields, closedObject, oneOf, paidAnswer, requestFields } from './fields.js';
import { defineOperation, fixedPrice } from './operation.js';
import {
  EMPTY_POPULATION,
  ON_PEOPLE,
  type PopulationInput,
  peopleFields,
  populationFaults,
  populationField,
} from './population-request.js';
import type { PredictionModel } from './prediction-model.js';
import { COORDINATES, LEAN_TEXT, notesField, notesOf, reachPeople } from './reach-request.js';
import { shortEnvelope, shortened } from './short-envelope.js';
import { listFault, NUMBER_BYTES } from './tool-answers.js';
import { stepsOf } from './work.js';

/** Credits for an envelope. */
export const ENVELOPE_COST = 10;
const FORMATS = ['json', ...(Object.keys(ENVELOPE_TYPES) as EnvelopeFormat[])] as const;

const coordinate = (description: string) =>
  Type.Number({ minimum: -3000, maximum: 3000, description });

const fields = {
  population: populationField,
  pose: oneOf(REACH_POSES, { description: `Erect. ${COORDINATES}` }),
  by: oneOf(TIPS, { description: 'What reaches: foot is the ball of the foot.' }),
  hand: Type.Optional(
    oneOf(['left', 'right'] as const, { default: 'right', description: 'The side.' }),
  ),
  lean: Type.Optional(oneOf(LEANS, { default: LEANS[0], description: LEAN_TEXT })),
  percentiles: Type.Array(
    Type.Number({
      ...PERCENT_LIMITS,
      description: 'Percentile p: the share 1 − p reaches at least so far.',
    }),
    { minItems: 1, maxItems: 5, uniqueItems: true, description: 'Percentiles of the reach.' },
  ),
  planes: Type.Optional(
    Type.Array(
      closedObject(
        { z: Type.Optional(coordinate('Height.')), y: Type.Optional(coordinate('To the left.')) },
        { description: 'One of z and y.' },
      ),
      { maxItems: 10, description: 'Planes in which curves are asked.' },
    ),
  ),
  unit: requestFields.options.unit,
  clothing: requestFields.options.clothing,
};

const request = closedObject({
  ...fields,
  format: Type.Optional(
    oneOf(FORMATS, {
      default: FORMATS[0],
      description:
        'csv: all points in `unit`. svg and dxf: the curves of the planes in mm. glb: surfaces in metres, Y up, facing +Z. stl: in mm, Z up.',
    }),
  ),
});

const shortRequest = closedObject({
  ...fields,
  format: Type.Optional(
    oneOf(['json'] as const, {
      default: 'json',
      description: 'Only json here; the REST route has files.',
    }),
  ),
});

type Input = Static<typeof request>;

const place = (description: string) =>
  Type.Object(
    {
      x: answerFields.number('Forward.'),
      y: answerFields.number('To the left.'),
      z: answerFields.number('Up.'),
    },
    { description },
  );

const response = paidAnswer({
  ...peopleFields,
  unit: answerFields.unit('Unit of lengths.'),
  centre: place('Mean place of the shoulder joint with the arm ahead, or of the hip.'),
  stepDegrees: answerFields.number('Step between azimuths and between elevations.'),
  surfaces: Type.Array(
    Type.Object({
      percentile: answerFields.number('Percentile asked.'),
      distances: Type.Array(Type.Number(), {
        description:
          'From the centre: elevations from −90° to 90°, in each all azimuths from 0°, ahead, to the left. 0: too few reach that way.',
      }),
    }),
    { description: 'As asked.' },
  ),
  curves: Type.Array(
    Type.Object({
      z: Type.Optional(answerFields.number('Height of the plane.')),
      y: Type.Optional(answerFields.number('Place of the plane.')),
      percentiles: Type.Array(
        Type.Object({
          percentile: answerFields.number('Percentile asked.'),
          points: Type.Array(place('A point.'), {
            description:
              'Around the curve in steps of 5°, without the directions in which too few reach.',
          }),
        }),
        { description: 'As asked.' },
      ),
    }),
    { description: 'The planes in the order asked.' },
  ),
  notes: notesField,
});

/** POST /v1/population/envelope: how far people reach in every direction. */
export const reachEnvelope = defineOperation({
  name: 'reach_envelope',
  path: '/v1/population/envelope',
  title: 'Reach envelope',
  description:
    'How far the people of a population reach in every direction from the shoulder, or from the hip with a foot, as surfaces and as curves in planes: JSON, CSV, SVG, DXF, GLB or STL.',
  toolDescription:
    'How far do people reach around the shoulder, or the hip with a foot? Give a population, pose, hand or foot and percentiles (5: 95 % reach at least so far), and planes for curves. Not for given targets: reach_share.',
  ...fixedPrice(ENVELOPE_COST),
  command: { name: 'envelope', summary: 'how far people reach in every direction' },
  ...ON_PEOPLE,
  request,
  shortRequest,
  response,
  toolResponse: shortEnvelope,
  toolAnswer: shortened,
  example: {
    population: { groups: [{ countries: ['DE'], gender: 'Female', ageMin: 18, ageMax: 65 }] },
    pose: 'sitting',
    by: 'grip',
    percentiles: [5],
    planes: [{ y: -180 }],
  },
  refusals: {
    population_empty: {
      population: EMPTY_POPULATION,
      pose: 'sitting',
      by: 'grip',
      percentiles: [5],
    },
  },
  check: ({ population, pose, by, lean = LEANS[0], planes = [], format }) => [
    ...populationFaults(population),
    ...(by === 'foot' && pose !== 'sitting' ? [wrong('/by')`foot needs the pose sitting.`] : []),
    ...(by === 'foot' && lean !== LEANS[0]
      ? [wrong('/lean')`is for hands; leave it out for a foot.`]
      : []),
    ...(planes.length === 0 && (format === 'svg' || format === 'dxf')
      ? [wrong('/planes')`is empty; ${format} shows the curves of planes, so name at least one.`]
      : []),
    ...planes.flatMap(({ y, z }, i) => {
      if ((y === undefined) !== (z === undefined)) return [];
      return [wrong(`/planes/${i}`)`needs one of z and y.`];
    }),
  ],
  toolCheck: ({ percentiles, planes = [] }) => {
    const { length } = percentiles;
    const curves = planes.length * length * CURVE_POINTS * 3 * (NUMBER_BYTES + 3);
    return listFault('/percentiles', length, length * DIRECTIONS * NUMBER_BYTES + curves);
  },
  work: {
    ms(input) {
      const steps = stepsOf(input);
      const { sampled, conditions, curveMs, populationMs } = steps;
      const quantities = input.lean === 'trunk' ? 13 : 9;
      const drawn = sampled * quantities * curveMs * 1.2 + 2048 * 3e-4 * (quantities + conditions);
      const directions = DIRECTIONS + CURVE_POINTS * (input.planes?.length ?? 0);
      const each = input.by === 'foot' || input.lean === 'trunk' ? 2 : 1;
      return populationMs + drawn + directions * each;
    },
    less: 'fewer planes, countries or years of age',
  },
  run(input, model): Static<typeof response> {
    return answerOf(input, envelopeOf(input, model));
  },
  file: {
    types: ENVELOPE_TYPES,
    alsoJson: true,
    formatOf: ({ format = 'json' }) => (format === 'json' ? undefined : format),
    async make(input, model) {
      const found = envelopeOf(input, model);
      const unit = input.unit ?? 'mm';
      const bytes = await envelopeFile(found.envelope, input.format as EnvelopeFormat, unit);
      const hash = fingerprint({
        operation: 'reach_envelope',
        artifact: model.artifactVersion,
        ...input,
      });
      return { bytes, answer: answerOf(input, found), headers: { etag: `"${hash}"` } };
    },
  },
});

/** Number of points of a curve at most. */
const CURVE_POINTS = 360 / CURVE_STEP;
/** Number of directions of a surface. */
const DIRECTIONS = (180 / SURFACE_STEP + 1) * (360 / SURFACE_STEP);

interface Found {
  readonly headCount: { readonly people: number; readonly headCountYear?: number };
  readonly envelope: AskedEnvelope;
  readonly notes: ReturnType<typeof notesOf>;
}

function envelopeOf(input: Input & { population: PopulationInput }, model: PredictionModel): Found {
  const { pose, by, hand = 'right', lean = 'none', percentiles, planes = [], unit = 'mm' } = input;
  const names = envelopeMeasurements({ pose, by, lean });
  const { people, profiles, stretch } = reachPeople(input, model, names);
  const planesMm = planes.map(({ z, y }) =>
    z === undefined ? { y: toMm(y as number, unit) } : { z: toMm(z, unit) },
  );
  const isSolid = input.format === 'glb' || input.format === 'stl';
  const scene = { pose, by, hand, lean, percentiles, planes: planesMm, isSolid };
  const envelope = findEnvelope(people.kept, scene, profiles, stretch);
  return {
    headCount: people.headCount,
    envelope: { ...envelope, percentiles, planes: planesMm },
    notes: notesOf(input, true),
  };
}

function answerOf(
  { unit = 'mm', planes = [] }: Input,
  { headCount, envelope, notes }: Found,
): Static<typeof response> {
  const shown = ([x, y, z]: readonly number[]) => ({
    x: fromMm(x as number, unit),
    y: fromMm(y as number, unit),
    z: fromMm(z as number, unit),
  });
  const { percentiles } = envelope;
  return {
    ...headCount,
    unit,
    centre: shown(envelope.centre),
    stepDegrees: SURFACE_STEP,
    surfaces: percentiles.map((percentile, p) => ({
      percentile,
      distances: Array.from(envelope.distances[p] as Float64Array, (far) => fromMm(far, unit)),
    })),
    curves: planes.map((plane, i) => ({
      ...plane,
      percentiles: percentiles.map((percentile, p) => ({
        percentile,
        points: (envelope.curves[i]?.[p] ?? []).flatMap(({ points }) => points.map(shown)),
      })),
    })),
    ...notes,
  };
}
