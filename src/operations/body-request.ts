import Type, { type Static } from 'typebox';
import { BODY_AGES, type BodyPerson, DETAILS } from '../body/body.js';
import { BODY_DIMENSIONS, type BodyDimension, DIMENSION_NAMES } from '../body/dimensions.js';
import { POSES } from '../body/skeleton.js';
import { Problem, type Residual, wrong } from '../core/errors.js';
import { QUANTITY_LIMITS } from '../core/limits.js';
import { curveInverse, curveValue } from '../lookup/cell.js';
import { NUDE } from '../population/people-model.js';
import { stanceField } from './body-stance.js';
import { explain, type FoundFault, pointerTo } from './faults.js';
import { BODY_MEASUREMENTS, closedObject, oneOf, requestFields } from './fields.js';
import {
  BELIEVED_Z,
  type GivenValue,
  givenValues,
  KNOWN_LIMITS,
  type KnownInput,
  type KnownOf,
  knownFaults,
  knownField,
  knownText,
  roundingOf,
} from './known-values.js';
import { converted, likelyUnit } from './likely-unit.js';
import { agreeing, movedOf, personOf, usedText } from './plausibility.js';
import {
  checkQuantity,
  cohortOf,
  fromRequest,
  toAnswer,
  type Units,
} from './population-request.js';
import type { PredictionModel } from './prediction-model.js';

// Common parts of requests for bodies in three dimensions: the person and the form of the file.

/** A person to build. */
export const bodyPersonField = closedObject(
  {
    name: Type.Optional(
      Type.String({ maxLength: 200, description: 'Your name of the person; files repeat it.' }),
    ),
    ...requestFields.person,
    ...requestFields.countryOption,
    known: Type.Optional(
      Type.Array(knownField, {
        maxItems: KNOWN_LIMITS.maxItems,
        description:
          'What is known of the person, as in `complete_person`; `[]` for the median person. The rest is completed.',
      }),
    ),
    measurements: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: Type.Number({
            ...QUANTITY_LIMITS,
            description: 'Value of the measurement.',
          }),
          description:
            'Measurements by name in place of `known`, as `sample_people` and `boundary_cases` answer them. Nothing is completed.',
        },
      ),
    ),
  },
  {
    description: `Person of ${BODY_AGES.minimum} to ${BODY_AGES.maximum} completed years, with \`known\` or \`measurements\`.`,
  },
);

/** A person as requests name it. */
export type BodyPersonInput = Static<typeof bodyPersonField>;

/** Formats of bodies. */
export const BODY_FORMATS = ['glb', 'stl', 'obj', 'dxf', 'mjcf', 'json'] as const;
/** Format of a body; `json` is its report alone. */
export type BodyFormat = (typeof BODY_FORMATS)[number];

/** Fields about the file. */
export const bodyFileFields = {
  pose: Type.Optional(
    oneOf(POSES, {
      default: POSES[0],
      description:
        'standing: arms 9° from vertical. sitting: 90° at hips and knees, feet flat, forearms level. a_pose: arms 45°.',
    }),
  ),
  stance: stanceField,
  detail: Type.Optional(
    oneOf(DETAILS, {
      default: DETAILS[0],
      description: 'full: about 13,400 vertices. light: about 4,100.',
    }),
  ),
  segments: Type.Optional(
    Type.Boolean({
      description:
        'Whether the report, and the extras of a GLB, have mass, centre of mass and inertia of 16 segments. Default: false.',
    }),
  ),
  unit: requestFields.options.unit,
  ...requestFields.massUnit,
};

/** The format of a body. */
export const bodyFormatField = Type.Optional(
  oneOf<BodyFormat>(BODY_FORMATS, {
    default: BODY_FORMATS[0],
    description:
      'glb: in metres, Y up, facing +Z, with bones. stl (binary) and obj: in mm, Z up. dxf: outlines from the side, the front and above in mm. mjcf: a MuJoCo model in metres, Z up, facing +X. json: the report alone.',
  }),
);

/**
 * Finds faults of a person that a schema cannot express.
 *
 * @param pointer JSON pointer of the person
 */
export function bodyPersonFaults(person: BodyPersonInput, pointer: string): FoundFault[] {
  const { known, measurements } = person;
  if ((known === undefined) === (measurements === undefined)) {
    return [
      wrong(pointer)`needs known or measurements, one of them; known: [] is the median person.`,
    ];
  }
  if (known !== undefined) return knownFaults(known, `${pointer}/known`);
  const names = Object.keys(measurements ?? {});
  const place = `${pointer}/measurements`;
  const faults = names
    .filter((one) => !NAMES.has(one))
    .map((one) =>
      explain(
        { keyword: 'enum', of: BODY_MEASUREMENTS },
        { pointer: pointerTo(place, one), value: one, limits: {} },
      ),
    );
  if (faults.length > 0 || names.some((one) => ASKED.has(one))) return faults;
  return [wrong(place)`needs a dimension of a body, such as ${`${DIMENSION_NAMES[0]}`}.`];
}

const NAMES: ReadonlySet<string> = new Set(BODY_MEASUREMENTS);
const ASKED: ReadonlySet<string> = new Set(DIMENSION_NAMES);

/** A person to build, and remarks about the known values or measurements. */
export interface AskedBody {
  /** Nude and erect, in mm and kg. */
  readonly asked: BodyPerson;
  /** A sentence about unusual or changed values; undefined if there are none. */
  readonly note: string | undefined;
  /** All measurements of the person that are known, in mm, kg or kg/m². */
  readonly amountOf: (name: string) => number | undefined;
}

/**
 * Determines the person to build from a person of a request.
 *
 * @param pointer JSON pointer of the person
 * @throws Problem `model_not_found` for an age without bodies; `model_not_found`, `gender_not_supported` or
 * `value_implausible` for known measurements; `value_implausible` for `measurements` that contradict each other;
 * `body_out_of_reach` for `measurements` that are far from those of all people
 */
export function askedBodyOf(
  person: BodyPersonInput,
  units: Units,
  model: PredictionModel,
  pointer: string,
): AskedBody {
  const { gender, age: ageYears, known } = person;
  const completed = Math.floor(ageYears);
  if (completed < BODY_AGES.minimum || completed > BODY_AGES.maximum) {
    const message = `There is no body of a person of ${ageYears} years; ${BODY_AGES.minimum} to ${BODY_AGES.maximum} completed years have one.`;
    throw new Problem('model_not_found', message);
  }
  const joint = model.people();
  const cohort = cohortOf(person, joint.peopleModel);
  const curves = joint.curves();
  curves.at(cohort);
  const shown = (quantity: number, value: number) => toAnswer(joint, quantity, value, units);
  const of = { joint, cohort, curves, units, shown };
  const { amountOf, note } =
    known === undefined ? measured(person, of, pointer) : completedFrom(known, of, pointer);
  const dimensions = new Map<BodyDimension, number>();
  for (const name of BODY_DIMENSIONS) {
    const value = amountOf(name);
    if (value !== undefined) dimensions.set(name, value);
  }
  const massKg = amountOf('BodyMass') ?? massOf(amountOf);
  return { asked: { gender, ageYears, dimensions, massKg }, note, amountOf };
}

/** Values of a person by name, in mm, kg or kg/m². */
interface Amounts {
  readonly amountOf: (name: string) => number | undefined;
  readonly note: string | undefined;
}

/** The person whom `measurements` describe. */
function measured(person: BodyPersonInput, of: KnownOf, pointer: string): Amounts {
  const { joint, units } = of;
  const entries = Object.entries(person.measurements ?? {}) as [string, number][];
  const given = entries.map(([measurement, value]): GivenValue => {
    const quantity = joint.peopleModel.indexOf(measurement);
    const one = { measurement, value } as KnownInput;
    const entry = pointerTo(`${pointer}/measurements`, measurement);
    return {
      ...{ measurement, quantity, text: knownText(one, units) },
      value: fromRequest(joint, quantity, value, units),
      rounding: roundingOf(one, quantity, joint, units),
      ...{ pointer: entry, entry },
    };
  });
  refuseFarFromPeople(given, of);
  // The service does not know how a measurement without a model relates to the others, so it is not checked.
  const modelled = given.filter(({ quantity }) => of.curves.of(quantity) !== undefined);
  const { values, notes } = agreeing(modelled, of);
  const amounts = new Map(given.map(({ measurement, value }) => [measurement, value]));
  modelled.forEach(({ measurement }, i) => {
    amounts.set(measurement, values[i] as number);
  });
  if (notes.length > 0) notes.push(usedText(movedOf(modelled, values, of), of));
  return {
    amountOf: (name) => amounts.get(name),
    note: notes.length === 0 ? undefined : notes.join(' '),
  };
}

/**
 * Maximum distance of values of `measurements` from the median, in standard scores. It is twice that of
 * `complete_person`, because sampled people may come from another country than that of the request.
 */
const REACH_Z = 9;

/**
 * Refuses a value far from those of all people. Without this check, the fit would stretch a body to nearly any value.
 *
 * @throws Problem `body_out_of_reach` with the nearest values for which a body is built
 */
function refuseFarFromPeople(
  given: readonly GivenValue[],
  { curves, units, shown }: KnownOf,
): void {
  const texts: string[] = [];
  const residuals: Residual[] = [];
  for (const { measurement, quantity, value: asked } of given) {
    const knots = ASKED.has(measurement) ? curves.of(quantity) : undefined;
    if (knots === undefined) continue;
    const score = curveInverse(knots, asked);
    if (Math.abs(score) <= REACH_Z) continue;
    const answer = (mm: number): number => shown(quantity, mm);
    const [least, most] = [-REACH_Z, REACH_Z].map((z) => Math.max(0, curveValue(knots, z))) as [
      number,
      number,
    ];
    const nearest = score < 0 ? least : most;
    const meant = likelyUnit(measurement, (size) => {
      return Math.abs(curveInverse(knots, answer(asked) * size)) <= BELIEVED_Z;
    });
    const hint =
      meant === undefined
        ? ''
        : ` Did you mean ${answer(asked)} ${meant.name}? Give ${converted(answer(asked), meant, units.unit)} (${units.unit}).`;
    texts.push(
      `${measurement} of ${answer(asked)} ${units.unit} is none that a body of this gender and age can have; ${answer(least)} to ${answer(most)} ${units.unit} can be built.${hint}`,
    );
    residuals.push({
      measurement,
      asked: answer(asked),
      achieved: answer(nearest),
      difference: answer(nearest - asked),
    });
  }
  if (residuals.length === 0) return;
  residuals.sort((one, other) => Math.abs(other.difference) - Math.abs(one.difference));
  const message = `${texts.slice(0, 3).join(' ')} Check the values and their unit.`;
  throw new Problem('body_out_of_reach', message, { residuals, unit: units.unit });
}

const MM_PER_M = 1000;

/** Body mass from a given BMI and stature. */
function massOf(amountOf: (name: string) => number | undefined): number | undefined {
  const [bmi, stature] = [amountOf('BMI'), amountOf('Stature')];
  return bmi === undefined || stature === undefined ? undefined : bmi * (stature / MM_PER_M) ** 2;
}

/** All measurements of the most probable person with the known values. */
function completedFrom(known: readonly KnownInput[], of: KnownOf, pointer: string): Amounts {
  const { joint, cohort, curves, units } = of;
  for (const { measurement } of known) {
    checkQuantity(joint, { cohorts: [cohort] }, joint.peopleModel.indexOf(measurement), NUDE);
  }
  const given = givenValues(known, `${pointer}/known`, joint, curves, units);
  const { person, values, plausibility } = personOf(given, of, 0);
  const amountOf = (name: string): number | undefined => {
    const at = given.findIndex(({ measurement }) => measurement === name);
    return values[at] ?? person.of(joint.peopleModel.indexOf(name))?.expected;
  };
  return { amountOf, note: plausibility.note };
}
