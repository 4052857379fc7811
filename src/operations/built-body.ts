import Type, { type Static } from 'typebox';
import {
  type Body,
  type BodyPerson,
  type BodyReport,
  type Detail,
  type FittedPerson,
  REACH_MM,
} from '../body/body.js';
import { type Segment, segmentsOf } from '../body/segments.js';
import type { Pose, Posed } from '../body/skeleton.js';
import { bodyInStance } from '../body/stance.js';
import { glbOf } from '../body-files/glb.js';
import { mjcfOf } from '../body-files/mjcf.js';
import { objOf, stlOf } from '../body-files/triangles.js';
import { BoundedMap } from '../core/bounded-map.js';
import { Problem, type Residual } from '../core/errors.js';
import { fromKg, fromMm, type MassUnit, type Unit } from '../core/units.js';
import { askedBodyOf, type BodyFormat, type BodyPersonInput } from './body-request.js';
import { type AskedStance, type FoundStance, stanceOf } from './body-stance.js';
import { answerFields, DEFAULTS } from './fields.js';
import { type Units, unitFields, unitsOf } from './population-request.js';
import type { PredictionModel } from './prediction-model.js';

// Makes the report and the bytes of a file from a person of a request.

/** The credit that every file with a body contains. */
export const BODY_CREDIT =
  'A mannequin fitted to numbers by Vitruvia, not a scan of anybody. Mesh, shapes and skeleton: MakeHuman, CC0 1.0.';

/** A number of answers that may be missing. */
const numberOrNull = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description });

/** A list of numbers of fixed length. */
const numbers = (count: number, description: string) =>
  Type.Array(Type.Number(), { minItems: count, maxItems: count, description });

/** Values that the tape measures on the mesh of a body. */
export const reportFields = {
  ...unitFields,
  measurements: Type.Array(
    Type.Object({
      measurement: answerFields.measurement('Dimension measured on the body, or BodyMass.'),
      asked: numberOrNull('Value of the person; null where the person has none.'),
      achieved: answerFields.number('Value of the body.'),
      difference: numberOrNull('`achieved` − `asked`.'),
      height: Type.Optional(
        answerFields.number('Of girths: height above the floor at which it was measured.'),
      ),
      normal: Type.Optional(
        numbers(
          3,
          'Of girths whose plane is not level: its unit normal, x to the left, y up, z forward. `height` is the mean of the tape.',
        ),
      ),
      pose: Type.Optional(
        answerFields.text(
          '`standing` or `sitting`: where it was measured, if the pose of this body does not have it.',
        ),
      ),
    }),
    { description: 'What the tape finds on this body, in its pose and detail.' },
  ),
  volume: answerFields.number('Volume of this body in litres.'),
  overlap: answerFields.number('Share of `volume` that lies inside the surface more than once.'),
  mass: answerFields.number('`volume` × `density`.'),
  density: answerFields.number('Density of people of the gender and age, kg/l.'),
  worst: answerFields.number('Largest difference of what this pose has.'),
  armAngle: Type.Optional(
    answerFields.number(
      'Standing: angle of the upper arms from vertical in degrees: 9, or more if the flank needs it.',
    ),
  ),
  segments: Type.Optional(
    Type.Array(
      Type.Object({
        segment: answerFields.text('Name of the segment, as `upper_arm_l`.'),
        mass: answerFields.number('Mass in kg. The masses sum to that of the body.'),
        centre: numbers(
          3,
          'Centre of mass in `unit`: x to the left, y up, z forward, from 0 of the GLB.',
        ),
        inertia: numbers(6, 'About the centre of mass, in kg·m²: xx, yy, zz, xy, xz, yz.'),
      }),
      { description: 'If asked for: the 16 segments of the body in this pose.' },
    ),
  ),
  artifact: answerFields.text('Version of the data that the body was made from.'),
  note: Type.Optional(
    answerFields.text(
      'What is unusual about the values given, or how they were moved until they agree, as `plausibility.note` of `complete_person`.',
    ),
  ),
};

const report = Type.Object(reportFields);
/** The measurements of a body, in the units of the request. */
export type BodyAnswer = Static<typeof report>;

/** The options of a body, with the defaults of omitted fields. */
export interface BodyOptions extends Units {
  /** The asked pose; with a stance, that of the stance. */
  readonly pose: Pose;
  readonly stance: AskedStance | undefined;
  readonly detail: Detail;
  readonly format: BodyFormat;
  readonly segments: boolean;
}

/** The options of a request. */
export function bodyOptionsOf(input: {
  readonly unit?: Unit;
  readonly massUnit?: MassUnit;
  readonly pose?: Pose;
  readonly stance?: AskedStance;
  readonly detail?: Detail;
  readonly format?: BodyFormat;
  readonly segments?: boolean;
}): BodyOptions {
  const { stance, detail = 'full', format = 'glb', segments = false } = input;
  const pose = stance?.base ?? input.pose ?? 'standing';
  return { ...unitsOf(input), pose, stance, detail, format, segments };
}

/** A person whose body meets the numbers. */
export interface BuiltBody {
  readonly person: BodyPersonInput;
  readonly asked: BodyPerson;
  readonly note: string | undefined;
  readonly fitted: FittedPerson;
  /** Of a stance: what was found, and the body in it. */
  readonly inStance: (FoundStance & { readonly posed: Posed }) | undefined;
}

/**
 * Fits the body of a person, who must be within reach standing and in the asked pose.
 *
 * @param pointer JSON pointer of the person
 * @throws Problem `body_out_of_reach`, and the problems of `askedBodyOf` and `stanceOf`
 */
export function buildBody(
  person: BodyPersonInput,
  options: BodyOptions,
  model: PredictionModel,
  pointer: string,
): BuiltBody {
  const { pose, stance, unit } = options;
  const { asked, note, amountOf } = askedBodyOf(person, options, model, pointer);
  const found = stance && stanceOf(stance, amountOf, asked.ageYears, unit, model);
  const fitted = fittedOf(asked, model);
  const refuse = (report: BodyReport) => {
    if (!(report.worstMm <= REACH_MM)) throw outOfReach(report, options);
  };
  // If the standing body misses the measurements of the person, so does every other pose.
  refuse(fitted.report);
  const inStance = found && {
    ...found,
    posed: bodyInStance(model.bodies(), fitted, found.stance),
  };
  const built = { person, asked, note, fitted, inStance };
  if (pose !== 'standing' || stance !== undefined) {
    refuse(meshOf(built, { ...options, detail: 'full' }, model).report);
  }
  return built;
}

/** The mesh of a fitted person in the pose or stance of a request. */
function meshOf(
  { fitted, inStance }: BuiltBody,
  { pose, detail }: BodyOptions,
  model: PredictionModel,
): Body {
  const builder = model.bodies();
  return inStance === undefined
    ? builder.mesh(fitted, pose, detail)
    : builder.meshInStance(fitted, inStance, detail);
}

/** Number of fitted people that are kept for a model. Each takes about 3 MB. */
const KEPT = 2;
/** The last people: clients ask for the same one in several formats and poses. Answers do not depend on them. */
const last = new WeakMap<PredictionModel, BoundedMap<string, FittedPerson>>();

function fittedOf(asked: BodyPerson, model: PredictionModel): FittedPerson {
  const builder = model.bodies();
  const kept = last.get(model) ?? new BoundedMap<string, FittedPerson>(KEPT);
  last.set(model, kept);
  const key = JSON.stringify({ ...asked, dimensions: [...asked.dimensions] });
  const fitted = kept.get(key) ?? builder.fit(asked);
  kept.set(key, fitted);
  return fitted;
}

function outOfReach({ readings, worstMm }: BodyReport, { unit }: Units): Problem {
  const residuals = readings
    .flatMap(({ measurement, askedMm, achievedMm }): Residual[] => {
      if (askedMm === undefined || !Number.isFinite(achievedMm)) return [];
      const [asked, achieved] = [fromMm(askedMm, unit), fromMm(achievedMm, unit)];
      return [{ measurement, asked, achieved, difference: fromMm(achievedMm - askedMm, unit) }];
    })
    .sort((one, other) => Math.abs(other.difference) - Math.abs(one.difference));
  const [first] = residuals;
  const where =
    first === undefined
      ? ''
      : ` ${first.measurement} is ${first.achieved} ${unit} at best, not ${first.asked}.`;
  const message = `The shape of the body cannot reach this person: the largest difference is ${fromMm(worstMm, unit)} ${unit}, and ${fromMm(REACH_MM, unit)} ${unit} is the most.${where} Check the values and their unit, or leave out a measurement that contradicts the others.`;
  return new Problem('body_out_of_reach', message, { residuals, unit });
}

/** The report of a fitted person in a pose and a level of detail. */
export function reportOf(
  built: BuiltBody,
  options: BodyOptions,
  model: PredictionModel,
): BodyAnswer {
  const body = meshOf(built, options, model);
  return answerOf(body, built.note, options, model.artifactVersion);
}

function answerOf(
  body: Body,
  note: string | undefined,
  options: BodyOptions,
  artifact: string,
): BodyAnswer {
  const { unit, massUnit } = options;
  const { readings, volumeLitres, overlap, densityKgPerLitre, askedKg, worstMm } = body.report;
  const massKg = volumeLitres * densityKgPerLitre;
  const lengths = readings.map(({ measurement, askedMm, achievedMm, heightMm, normal, pose }) => ({
    measurement,
    asked: askedMm === undefined ? null : fromMm(askedMm, unit),
    achieved: fromMm(achievedMm, unit),
    difference: askedMm === undefined ? null : fromMm(achievedMm - askedMm, unit),
    ...(heightMm === undefined ? {} : { height: fromMm(heightMm, unit) }),
    ...(normal === undefined ? {} : { normal: normal.map((one) => Number(one.toFixed(4)) + 0) }),
    ...(pose === undefined ? {} : { pose }),
  }));
  const mass = {
    measurement: 'BodyMass',
    asked: askedKg === undefined ? null : fromKg(askedKg, massUnit),
    achieved: fromKg(massKg, massUnit),
    difference: askedKg === undefined ? null : fromKg(massKg - askedKg, massUnit),
  };
  return {
    unit,
    massUnit,
    measurements: [...lengths, mass],
    volume: thousandths(volumeLitres),
    overlap: Math.round(overlap * 1e4) / 1e4,
    mass: mass.achieved,
    density: densityKgPerLitre,
    worst: fromMm(worstMm, unit),
    ...(body.pose === 'standing' && options.stance === undefined
      ? { armAngle: Math.round((body.report.armAngle * 180) / Math.PI) }
      : {}),
    ...(options.segments ? { segments: segmentRows(segmentsOf(body), unit) } : {}),
    artifact,
    ...(note === undefined ? {} : { note }),
  };
}

/** Digits of a moment of inertia. */
const INERTIA_DIGITS = 6;

/** Rows of segments. Their masses are rounded so that they still sum to the rounded mass of the body. */
function segmentRows(
  segments: readonly Segment[],
  unit: Unit,
): NonNullable<BodyAnswer['segments']> {
  let [above, rounded] = [0, 0];
  return segments.map(({ name, massKg, centre, inertia }) => {
    above += massKg;
    const before = rounded;
    rounded = fromKg(above, 'kg');
    return {
      segment: name,
      mass: fromKg(rounded - before, 'kg'),
      centre: centre.map((mm) => fromMm(mm, unit)),
      inertia: inertia.map((value) => Number(value.toPrecision(INERTIA_DIGITS))),
    };
  });
}

function thousandths(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** A file with a body, and the body's report. */
export interface BodyFile {
  readonly bytes: Uint8Array;
  readonly report: BodyAnswer;
  readonly worstMm: number;
}

/** Writes a fitted person as a file. The same person and options give the same bytes. */
export async function bodyFileOf(
  built: BuiltBody,
  options: BodyOptions,
  model: PredictionModel,
): Promise<BodyFile> {
  const body = meshOf(built, options, model);
  const report = answerOf(body, built.note, options, model.artifactVersion);
  const extras = { person: personOf(built.person), report, credit: BODY_CREDIT };
  const bytes = await WRITERS[options.format](body, extras, options);
  return { bytes, report, worstMm: thousandths(body.report.worstMm) };
}

/** The person as files repeat it, with fixed order of fields and the default country. */
function personOf(person: BodyPersonInput) {
  const { name, gender, age, country = DEFAULTS.country, known, measurements } = person;
  return {
    ...(name === undefined ? {} : { name }),
    ...{ gender, age, country },
    ...(known === undefined ? { measurements } : { known }),
  };
}

interface Extras {
  readonly person: object;
  readonly report: BodyAnswer;
  readonly credit: string;
}

type Writer = (body: Body, extras: Extras, options: BodyOptions) => Promise<Uint8Array>;

const WRITERS: Readonly<Record<BodyFormat, Writer>> = {
  glb: (body, extras) => glbOf(body, { ...extras }),
  stl: async (body) => stlOf(body),
  obj: async (body, extras) => objOf(body, remarksOf(extras)),
  async dxf(body, extras) {
    // Few people ask for outlines, and a server for one agent should load few files.
    const { dxfOf } = await import('../body-files/dxf.js');
    return dxfOf(body, remarksOf(extras));
  },
  mjcf: async (body, { person, report, credit }) =>
    mjcfOf(body, segmentsOf(body), {
      credit,
      person: JSON.stringify(person),
      report: JSON.stringify(report),
    }),
  json: async (_, extras) => Buffer.from(`${JSON.stringify(extras, null, 1)}\n`),
};

/** The extras as lines of text. JSON text contains no raw line breaks. */
function remarksOf({ person, report, credit }: Extras): string[] {
  const { measurements, segments = [], ...others } = report;
  return [
    `credit ${credit}`,
    `person ${JSON.stringify(person)}`,
    `report ${JSON.stringify(others)}`,
    ...measurements.map((reading) => `measurement ${JSON.stringify(reading)}`),
    ...segments.map((segment) => `segment ${JSON.stringify(segment)}`),
  ];
}
