import Type, { type Static } from 'typebox';
import { missingIn, type Stance } from '../body/stance.js';
import { type Fault, fault, field, Problem, wrong } from '../core/errors.js';
import type { MeasurementName } from '../core/measurements.js';
import { fromMm, type Unit } from '../core/units.js';
import { type Demand, measurementsOf, PersonInScene, type Scene } from '../reach/demands.js';
import { MEAN_SCORES, postureOf } from '../reach/posture.js';
import {
  armOf,
  frameOf,
  LEANS,
  measurementsFor,
  REACH_POSES,
  TIPS,
  type Vector,
} from '../reach/sitter.js';
import type { FoundFault } from './faults.js';
import { closedObject, oneOf } from './fields.js';
import type { PredictionModel } from './prediction-model.js';
import {
  COORDINATES,
  LEAN_TEXT,
  outOfRoom,
  placeField,
  placeInMm,
  refuseOutOfSpace,
  seatFields,
  seatInMm,
} from './reach-request.js';

// A body that does something: what a request asks, and how a person does it by the rules of `reach_share`.

const HAND_TIPS = TIPS.filter((tip) => tip !== 'foot');
const SIDES = ['left', 'right'] as const;

const hand = (side: string) =>
  Type.Optional(
    closedObject(
      {
        at: placeField('What the hand touches.'),
        by: oneOf(HAND_TIPS, { description: 'What touches it.' }),
      },
      { description: `The ${side} hand. Default: as in the base.` },
    ),
  );
const foot = (side: string) =>
  Type.Optional(
    closedObject(
      { at: placeField('What the ball of the foot touches.') },
      { description: `The ${side} foot. Default: as in the base, or on the floor before a seat.` },
    ),
  );

/** A stance in place of a pose. */
export const stanceField = Type.Optional(
  closedObject(
    {
      base: oneOf(REACH_POSES, { description: `Erect. ${COORDINATES}` }),
      seat: Type.Optional(closedObject(seatFields, { description: 'The seat, if sitting.' })),
      hands: Type.Optional(
        closedObject(
          { left: hand('left'), right: hand('right') },
          { description: 'Places of the hands.' },
        ),
      ),
      feet: Type.Optional(
        closedObject(
          { left: foot('left'), right: foot('right') },
          { description: 'Places of the feet, if sitting.' },
        ),
      ),
      lean: Type.Optional(oneOf(LEANS, { default: LEANS[0], description: LEAN_TEXT })),
    },
    {
      description:
        'In place of `pose`: a body that does something, in the coordinates of `reach_share`. Its file has the origin of these coordinates.',
    },
  ),
);

/** A stance as requests ask it. */
export type AskedStance = Static<NonNullable<typeof stanceField>>;

/** The scene of a stance. Its demands are the hands and then the feet, each with the pointer of its place. */
function sceneOf(
  { base, seat, hands = {}, feet = {}, lean = 'none' }: AskedStance,
  unit: Unit,
): { readonly scene: Scene; readonly names: readonly string[] } {
  const names: string[] = [];
  const demands: Demand[] = [];
  for (const side of SIDES) {
    const own = hands[side];
    if (own === undefined) continue;
    names.push(`hands/${side}`);
    const { at, by } = own;
    demands.push({ kind: 'target', at: placeInMm(at, unit), by, hand: side, lean });
  }
  for (const side of SIDES) {
    const own = feet[side];
    if (own === undefined) continue;
    names.push(`feet/${side}`);
    const at = placeInMm(own.at, unit);
    demands.push({ kind: 'target', at, by: 'foot', hand: side, lean: 'none' });
  }
  return { scene: { pose: base, demands, seat: seat && seatInMm(seat, unit) }, names };
}

/** Measurements of a person that a stance needs: those of its demands, of the head and of the legs. */
function needsOf(scene: Scene): readonly MeasurementName[] {
  const sits = scene.pose === 'sitting' && scene.seat !== undefined;
  const turns = scene.demands.some((one) => one.kind === 'target' && one.lean === 'trunk');
  const all = measurementsFor({
    pose: scene.pose,
    tips: new Set(sits ? ['foot'] : []),
    ...{ parts: new Set(), sees: sits || turns, turns: sits || turns },
  });
  return [...new Set([...measurementsOf(scene), ...all])];
}

/**
 * Faults of a stance that its schema cannot state.
 *
 * @param people for each person of the request, its JSON pointer and the names of its measurements, if it has these
 */
export function stanceFaults(
  { pose, stance }: { readonly pose?: unknown; readonly stance?: AskedStance },
  people: readonly (readonly [pointer: string, measurements: object | undefined])[],
): FoundFault[] {
  if (stance === undefined) return [];
  const faults: FoundFault[] = [];
  if (pose !== undefined) {
    faults.push(fault('/stance')`Give ${field('/pose')} or ${field('/stance')}, one of them.`);
  }
  if (stance.base === 'standing') {
    for (const part of ['seat', 'feet'] as const) {
      if (stance[part] === undefined) continue;
      const pointer = `/stance/${part}`;
      faults.push(wrong(pointer)`needs the base sitting; leave it out.`);
    }
  }
  const { scene } = sceneOf(stance, 'mm');
  if (scene.demands.length === 0 && scene.seat === undefined) {
    faults.push(
      wrong('/stance')`needs hands, feet or a seat. For the base alone, use pose ${stance.base}.`,
    );
  }
  for (const [pointer, measurements] of people) {
    if (measurements === undefined) continue;
    const missing = needsOf(scene).filter((name) => !(name in measurements));
    if (missing.length === 0) continue;
    const at = fault(`${pointer}/measurements`);
    faults.push(
      at`This stance needs ${missing.join(', ')} of the person. Add them, or use known, which completes them.`,
    );
  }
  return faults;
}

/** How a person does what a stance asks. */
export interface FoundStance {
  readonly stance: Stance;
  /** Where the origin of the file is in the coordinates of the seat or of the heels, mm. */
  readonly origin: Vector;
  readonly missing: ReturnType<typeof missingIn>;
}

/**
 * How a person does what a stance asks.
 *
 * @param amountOf measurements of the person, mm
 * @throws Problem `target_out_of_space` for a place that this person does not reach by the rules of `reach_share`;
 * `model_not_found` for a person or a version without a model of reach
 */
export function stanceOf(
  asked: AskedStance,
  amountOf: (name: string) => number | undefined,
  ageYears: number,
  unit: Unit,
  model: PredictionModel,
): FoundStance {
  const { scene, names } = sceneOf(asked, unit);
  const { reach } = model.people().peopleModel.views.manifest.population;
  const value = (name: MeasurementName): number => amountOf(name) ?? Number.NaN;
  if (reach === undefined || needsOf(scene).some((name) => Number.isNaN(value(name)))) {
    const message =
      'There is no model of reach of this person, or none in this version of the data. People have one from 2 years.';
    throw new Problem('model_not_found', message);
  }
  const person = new PersonInScene(scene, value, ageYears, MEAN_SCORES, reach);
  const isFromFloor = scene.pose === 'standing' || scene.seat !== undefined;
  const faults = scene.demands.flatMap((demand, i): Fault[] => {
    if (demand.kind !== 'target') return [];
    const place = names[i] as string;
    const target = { pointer: `/stance/${place}/at`, name: field(`/stance/${place}`) };
    const outside = outOfRoom(demand.at, target, isFromFloor, unit);
    if (outside !== undefined) return [outside];
    const margin = person.margin(demand, 0, 0);
    if (margin >= 0) return [];
    const at = fault(target.pointer);
    return [
      at`${target.name} lies where this person does not reach: ${fromMm(-margin, unit)} ${unit} lack.`,
    ];
  });
  refuseOutOfSpace(faults);
  const heightMm = scene.seat?.heightMm ?? 0;
  const arm = armOf(value, scene.pose, new Set(TIPS), ageYears, MEAN_SCORES, reach);
  const { eye, feet, ...posture } = postureOf(scene, frameOf(value, scene.pose), arm, [
    ...([0, 0, heightMm] as const),
  ]);
  const placesFeet = scene.seat !== undefined || asked.feet !== undefined;
  const stance: Stance = {
    ...posture,
    ...(posture.trunkDegrees === 0 ? {} : { eye }),
    feet: placesFeet ? feet : [],
  };
  return { stance, origin: [0, 0, -heightMm], missing: missingIn(stance) };
}
