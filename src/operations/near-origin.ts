import { type Fault, fault, field, type Sentence, said } from '../core/errors.js';
import { fromMm, MM_PER_UNIT, type Unit } from '../core/units.js';
import type { Demand, PersonInScene, Scene, Target } from '../reach/demands.js';
import { sharesAlone } from '../reach/reach-share.js';
import type { Vector } from '../reach/sitter.js';
import { isOfRequests, LENGTHS, type WrittenUnit } from './likely-unit.js';
import {
  FARTHEST_MM,
  type NamedPlace,
  type PeopleAndShoulders,
  placeText,
} from './reach-request.js';

// Places that are so near the origin that their numbers are probably of another unit.

/** No hand, sight or thing is so near the origin on all three axes, in mm (`reach.md`). */
const NEAR_MM = { sitting: 150, standing: 250 } as const;
/** Of the people. */
const HALF = 0.5;
/** The foot is left out: nearly all places in metres are believable in feet, too. */
const UNITS = LENGTHS.filter(({ name }) => name !== 'ft');

/** The places of a demand. Of a sight over an edge, the last one is on the edge. */
function placesOf(demand: Demand): Vector[] {
  switch (demand.kind) {
    case 'target':
      return [demand.at];
    case 'sight':
      return demand.over === undefined
        ? [demand.at]
        : [demand.at, [demand.over.x, 0, demand.over.z]];
    case 'clearance':
      return [demand.box.from, demand.box.to];
  }
}

function isNear(demand: Demand, pose: Scene['pose']): boolean {
  if (demand.kind === 'target' && demand.by === 'foot') return false;
  return placesOf(demand)
    .flat()
    .every((value) => Math.abs(value) <= NEAR_MM[pose]);
}

const times = (factor: number, [x, y, z]: Vector): Vector => [x * factor, y * factor, z * factor];

function scaled(demand: Demand, factor: number): Demand {
  switch (demand.kind) {
    case 'target':
      return { ...demand, at: times(factor, demand.at) };
    case 'sight': {
      const { at, over } = demand;
      const edge = over === undefined ? over : { x: over.x * factor, z: over.z * factor };
      return { ...demand, at: times(factor, at), over: edge };
    }
    case 'clearance': {
      const { from, to } = demand.box;
      return { ...demand, box: { from: times(factor, from), to: times(factor, to) } };
    }
  }
}

/** A scene if all its lengths are so many times as long. */
function sceneTimes(factor: number, { pose, seat, demands }: Scene): Scene {
  const by = ([least, most]: readonly [number, number]) => [least * factor, most * factor] as const;
  const { heightMm = 0, travelX = [0, 0], travelZ = [0, 0] } = seat ?? {};
  const lengths = { heightMm: heightMm * factor, travelX: by(travelX), travelZ: by(travelZ) };
  return {
    ...{ pose, seat: seat && { ...seat, ...lengths } },
    demands: demands.map((one) => scaled(one, factor)),
  };
}

/** Places just outside what is near, the nearest first. */
function placesAround([x, y, z]: Vector, nearMm: number): Vector[] {
  const side = y < 0 ? -1 : 1;
  const all = [nearMm + 1, 2 * nearMm].flatMap((far): Vector[] => [
    [far, y, z],
    [x, side * far, z],
    [x, y, far],
  ]);
  const moved = (place: Vector) => Math.hypot(place[0] - x, place[1] - y, place[2] - z);
  return all.sort((a, b) => moved(a) - moved(b));
}

/**
 * The faults of hands' targets, sights and things near the origin. Each asks for the units in which half of the people
 * meet the demand, and all others too if there is such a unit. Without a unit, the fault of a target names the nearest
 * place outside.
 *
 * @param fields pointer and name of each demand
 */
export function nearOriginFaults(
  scene: Scene,
  fields: readonly NamedPlace[],
  { people, profiles, stretch }: PeopleAndShoulders,
  unit: Unit,
): Fault[] {
  const { pose, demands } = scene;
  if (!demands.some((one) => isNear(one, pose))) return [];
  const scenes = UNITS.map(({ size }) => sceneTimes(size / MM_PER_UNIT[unit], scene));
  // A seat stands in the middle or at an end of its way forward.
  const shares = sharesAlone(people.kept, scenes, profiles, stretch, (person, demand, { seat }) =>
    [0, ...(seat?.travelX ?? [])].some((x) => person.margin(demand, x, 0) >= 0),
  );
  const meant = demands.map((_, d) =>
    UNITS.filter((_unit, u) => {
      const demand = scenes[u]?.demands[d] as Demand;
      const far = Math.hypot(...(placesOf(demand).at(-1) as Vector));
      const isBelieved = !isNear(demand, pose) && far <= FARTHEST_MM;
      return isBelieved && (shares[u]?.[d] as number) >= HALF;
    }),
  );
  const common = UNITS.filter((one) => meant.every((units) => units.includes(one)));
  const near = demands.flatMap((demand, d) => {
    const units = common.length > 0 ? common : (meant[d] as readonly WrittenUnit[]);
    return isNear(demand, pose)
      ? [{ demand, units, ...(fields[d] as (typeof fields)[number]) }]
      : [];
  });
  const nearMm = NEAR_MM[pose];
  const around = near.map(({ demand, units }): Scene => {
    const isLost = units.length === 0 && demand.kind === 'target';
    const places = isLost ? placesAround(demand.at, nearMm) : [];
    return { ...scene, demands: places.map((at) => ({ ...(demand as Target), at })) };
  });
  const isOutside = (person: PersonInScene, one: Demand) => person.inside(one, 0, 0) === undefined;
  const free = around.every((one) => one.demands.length === 0)
    ? []
    : sharesAlone(people.kept, around, profiles, stretch, isOutside);
  return near.map(({ demand, units, pointer, name }, n) => {
    const outside = around[n]?.demands.find((_, i) => (free[n]?.[i] as number) > HALF);
    const remedy =
      units.length > 0
        ? question(units, demand, unit)
        : outside?.kind === 'target'
          ? `The nearest possible place is ${placeText(outside.at, unit)}.`
          : 'Give a place that is farther on one axis.';
    const within = `lies within ${fromMm(nearMm, unit)} ${unit} of the origin on all axes`;
    return fault(pointer)`${name} ${within}. ${remedy}`;
  });
}

/** Says which value was probably meant, and what to send. */
function question(units: readonly WrittenUnit[], demand: Demand, unit: Unit): Sentence {
  const or = (texts: readonly string[]) => texts.join(' or ');
  const factors = units.map(({ size }) => size / MM_PER_UNIT[unit]);
  const ofRequests = units.filter(isOfRequests).map(({ name }) => name);
  const set = ofRequests.length === 0 ? '' : said`, or set ${field('/unit')} to ${or(ofRequests)}`;
  const lengths = or(factors.map((factor) => `${Number(factor.toPrecision(6))}`));
  const place =
    demand.kind === 'target'
      ? ` The place then is ${or(factors.map((factor) => placeText(times(factor, demand.at), unit)))}.`
      : '';
  return said`Did you mean ${or(units.map(({ name }) => name))}? Multiply every length by ${lengths}${set}.${place}`;
}
