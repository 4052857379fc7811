import Type, { type Static } from 'typebox';
import { type Fault, Problem } from '../core/errors.js';
import type { MeasurementName } from '../core/measurements.js';
import { fromMm, toMm, type Unit } from '../core/units.js';
import type { ManifestReach } from '../lookup/format.js';
import type { Profiles } from '../population/people-model.js';
import type { ReachPose, Vector } from '../reach/sitter.js';
import { closedObject } from './fields.js';
import { type People, peopleOf } from './population-request.js';
import type { PredictionModel } from './prediction-model.js';

// Common parts of requests about reach and sight.

/** Farthest point of a target, in mm. */
const FARTHEST_MM = 3000;
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

/** What the answers assume about coordinates. */
export const COORDINATES =
  'x forward, y to the left, z up. Standing: from the floor at the back plane. Sitting: from the seat surface at the back plane; with `seat`, from the floor under the middle of its travel.';

/** What the leans mean. */
export const LEAN_TEXT =
  'none: shoulders at the back. shoulder: stretched forward. trunk: as well up to 30° about the hips.';

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
  for (const name of names) people.quantityOf(name, profiles);
  return { people, profiles, stretch: reach };
}

/** A place in mm. */
export function placeInMm({ x, y, z }: Static<ReturnType<typeof placeField>>, unit: Unit): Vector {
  return [toMm(x, unit), toMm(y, unit), toMm(z, unit)];
}

/**
 * A part of the trunk of adults, in mm from the back plane and about the middle: no target lies inside it (an assumption).
 * A seat whose back leans moves it, so it is not looked at there.
 */
const TRUNK = {
  front: 150,
  side: 100,
  sitting: [80, 380],
  standing: [800, 1150],
} as const;

/**
 * The fault of a target that nobody can have: beyond 3 m, or inside the trunk. It names the nearest place that is
 * possible.
 *
 * @param seatMm place of the seat surface at the back plane: forward and up; undefined if the trunk may be elsewhere
 */
export function outOfSpace(
  at: Vector,
  pointer: string,
  name: string,
  pose: ReachPose,
  seatMm: readonly [x: number, z: number] | undefined,
  unit: Unit,
): Fault | undefined {
  const shown = (values: readonly number[]): string =>
    `x ${fromMm(values[0] as number, unit)}, y ${fromMm(values[1] as number, unit)}, z ${fromMm(values[2] as number, unit)} ${unit}`;
  const far = Math.hypot(...at);
  if (far > FARTHEST_MM) {
    // A little less, so that rounding does not lead out again.
    const near = at.map((value) => (value * (FARTHEST_MM - 1)) / far);
    const message = `${name} lies ${fromMm(far, unit)} ${unit} from the origin; at most ${fromMm(FARTHEST_MM, unit)} ${unit} are possible. The nearest possible place is ${shown(near)}.`;
    return { pointer, message };
  }
  if (seatMm === undefined) return undefined;
  const [x, y, z] = [at[0] - seatMm[0], at[1], at[2] - seatMm[1]];
  const [low, high] = TRUNK[pose];
  if (x < 0 || x > TRUNK.front || Math.abs(y) > TRUNK.side || z < low || z > high) return undefined;
  const near = [seatMm[0] + TRUNK.front + 1, at[1], at[2]];
  const message = `${name} lies inside the body. The nearest possible place is in front of the trunk: ${shown(near)}.`;
  return { pointer, message };
}

/** @throws Problem `target_out_of_space` if there are such faults */
export function refuseOutOfSpace(faults: readonly Fault[]): void {
  const [first] = faults;
  if (first !== undefined)
    throw new Problem('target_out_of_space', first.message, { errors: [...faults] });
}
