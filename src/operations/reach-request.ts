import Type, { type Static, type TObject } from 'typebox';
import { type Argument, type Fault, fault, Problem } from '../core/errors.js';
import type { MeasurementName } from '../core/measurements.js';
import { fromMm, toMm, type Unit } from '../core/units.js';
import type { ManifestReach } from '../lookup/format.js';
import type { Profiles } from '../population/people-model.js';
import type { Inside, Seat } from '../reach/demands.js';
import type { Vector } from '../reach/sitter.js';
import { closedObject } from './fields.js';
import { type People, peopleOf } from './population-request.js';
import type { PredictionModel } from './prediction-model.js';

// Common parts of requests about reach and sight.

/** Maximum coordinate of a target, in mm. */
export const FARTHEST_MM = 3000;
/** Limits of any coordinate, so that every unit can name a place of a road. */
const COORDINATE = { minimum: -100_000, maximum: 100_000 } as const;

export const coordinate = (description: string) => Type.Number({ ...COORDINATE, description });

/** A place in the room. */
export const placeField = (description: string) =>
  closedObject(
    {
      x: coordinate('Forward.'),
      y: coordinate('To the person’s left.'),
      z: coordinate('Up.'),
    },
    { description },
  );

export const degrees = (maximum: number, description: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum, description }));

/** A seat that does not move. */
export const seatFields = {
  height: Type.Number({
    ...{ minimum: 0, maximum: 3000 },
    description: 'Floor to the seat surface at the back, in the middle of the travel.',
  }),
  backAngle: degrees(30, 'Of the back from vertical, degrees. Default: 0.'),
  panAngle: degrees(10, 'Of the surface from horizontal, degrees. Default: 0.'),
};

/** Assumption of the answers about coordinates. */
export const COORDINATES =
  'x forward, y to the left, z up. Standing: from the floor at the back plane. Sitting: from the seat surface at the back plane; with `seat`, from the floor under the middle of its travel.';

/** Meaning of each lean. */
export const LEAN_TEXT =
  'none: shoulders at the back. shoulder: stretched forward. trunk: as well up to 30° about the hips.';

/** Age in years from which people reach measurably less far than their dimensions say. */
const OLD_FROM = 65;

/** Answer field: what an answer about reach leaves out. */
export const notesField = Type.Optional(
  Type.Array(Type.String(), {
    description: 'What the answer leaves out.',
  }),
);

/**
 * The notes of an answer.
 *
 * @param isReach whether hands or feet reach for something
 * @param isReclined whether people in a reclined seat look at something
 */
export function notesOf(
  { population: { groups } }: Parameters<typeof peopleOf>[0],
  isReach: boolean,
  isReclined = false,
): { notes?: string[] } {
  const notes = [
    ...(isReach && groups.some(({ ageMax }) => ageMax >= OLD_FROM)
      ? [
          'Reach follows from passive dimensions; measured people over 65 reach less far, by 4.8 % of the limb (Chateauroux and Wang 2008).',
        ]
      : []),
    ...(isReclined
      ? ['How far a reclined back moves the eyes is our own assumption, after UN Regulation 125.']
      : []),
  ];
  return notes.length === 0 ? {} : { notes };
}

/** The model of the shoulder of the version in use. */
export interface PeopleAndShoulders {
  readonly people: People;
  readonly profiles: Profiles;
  readonly stretch: ManifestReach;
}

/**
 * The people of a request about reach.
 *
 * @param names measurements that the answer needs
 * @throws Problem `model_not_found` for a version without a model of the shoulder and for people who are too young
 */
export function reachPeople(
  input: Parameters<typeof peopleOf>[0],
  model: PredictionModel,
  names: readonly MeasurementName[],
): PeopleAndShoulders {
  const people = peopleOf(input, model);
  const { reach } = people.peopleModel.views.manifest.population;
  if (reach === undefined) {
    const message =
      'This version of the data has no model of the shoulder. Build or install a newer version.';
    throw new Problem('model_not_found', message);
  }
  const profiles = people.profilesOf(input);
  try {
    for (const name of names) people.quantityOf(name, profiles);
  } catch (error) {
    const isYoung = input.population.groups.some(({ ageMin }) => ageMin < 2);
    if (!isYoung || !(error instanceof Problem) || error.code !== 'model_not_found') throw error;
    const message =
      'There is no model of reach and sight under 2 years. Ask for ages from 2 years.';
    throw new Problem('model_not_found', message);
  }
  return { people, profiles, stretch: reach };
}

/** A place in mm. */
export function placeInMm({ x, y, z }: Static<ReturnType<typeof placeField>>, unit: Unit): Vector {
  return [toMm(x, unit), toMm(y, unit), toMm(z, unit)];
}

/** A seat of a request in mm, which moves as `travel` says. */
export function seatInMm(
  { height, backAngle = 0, panAngle = 0 }: Static<TObject<typeof seatFields>>,
  unit: Unit,
  travel: Pick<Seat, 'travelX' | 'travelZ'> = { travelX: [0, 0], travelZ: [0, 0] },
): Seat {
  return { heightMm: toMm(height, unit), backAngle, panAngle, ...travel };
}

/** A place in the words of a refusal. */
export function placeText(place: Vector, unit: Unit): string {
  const [x, y, z] = place.map((mm) => fromMm(mm, unit));
  return `x ${x}, y ${y}, z ${z} ${unit}`;
}

/** A place of a request: its JSON pointer, and how a refusal calls what stands there. */
export interface NamedPlace {
  readonly pointer: string;
  readonly name: Argument;
}

/** The fault of a target, with the nearest possible place. */
function misplaced({ pointer, name }: NamedPlace, why: string, near: Vector, unit: Unit): Fault {
  const nearest = placeText(near, unit);
  return fault(pointer)`${name} ${why}. The nearest possible place is ${nearest}.`;
}

/** The fault of a target beyond 3 m, or below the floor where the origin lies on it. */
export function outOfRoom(
  at: Vector,
  target: NamedPlace,
  isFromFloor: boolean,
  unit: Unit,
): Fault | undefined {
  const far = Math.hypot(...at);
  if (far > FARTHEST_MM) {
    // A little less, so that rounding does not lead out again.
    const [x, y, z] = at.map((value) => (value * (FARTHEST_MM - 1)) / far) as [
      number,
      number,
      number,
    ];
    const why = `lies ${fromMm(far, unit)} ${unit} from the origin; at most ${fromMm(FARTHEST_MM, unit)} ${unit} are possible`;
    return misplaced(target, why, [x, y, isFromFloor ? Math.max(0, z) : z], unit);
  }
  if (!isFromFloor || at[2] >= 0) return undefined;
  return misplaced(target, 'lies below the floor', [at[0], at[1], 0], unit);
}

/**
 * The fault of a target that lies inside the body of half the people or more.
 *
 * @param backAngle of the seat, by which the trunks are turned, in degrees
 */
export function insideBody(
  [x, y, z]: Vector,
  target: NamedPlace,
  { forwardMm, sidewaysMm, upMm }: Inside,
  backAngle: number,
  unit: Unit,
): Fault {
  const turn = Math.cos((backAngle * Math.PI) / 180);
  // Adds a little, so that rounding does not move the place back inside.
  const [ahead, aside, up] = [forwardMm / turn + 2, sidewaysMm + 2, upMm / turn + 2];
  const least = Math.min(ahead, aside, up);
  const near: Vector =
    least === ahead
      ? [x + ahead, y, z]
      : least === aside
        ? [x, y + (y < 0 ? -1 : 1) * aside, z]
        : [x, y, z + up];
  return misplaced(target, 'lies inside the body', near, unit);
}

/** @throws Problem `target_out_of_space` if there are such faults */
export function refuseOutOfSpace(faults: readonly Fault[]): void {
  const [first] = faults;
  if (first !== undefined) throw new Problem('target_out_of_space', first, { errors: faults });
}
