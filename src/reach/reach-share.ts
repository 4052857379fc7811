import type { MeasurementName } from '../core/measurements.js';
import { zOfPercentile } from '../lookup/cell.js';
import { meanOf, REPETITIONS } from '../population/box-probability.js';
import { latticePeople } from '../population/lattice-people.js';
import { type KeptPeople, sampleOfCohorts } from '../population/limits.js';
import type { Profiles } from '../population/people-model.js';
import {
  type Demand,
  type Inside,
  measurementsOf,
  PersonInScene,
  type Scene,
  type Seat,
} from './demands.js';
import type { Scores, Stretch } from './sitter.js';

/** Lattices of which people are made larger and smaller, and in which directions. */
const OFF_REPETITIONS = 2;
const DIRECTIONS = [1, -1];

/** People of each of the independent lattices, with a fixed seat and with a seat that moves. */
const [PEOPLE, PEOPLE_WITH_TRAVEL] = [2048, 384];
/** Seed of the first lattice. The others are far from each other, because near seeds begin with near numbers. */
const [SEED, SEED_STEP] = [90_001, 7_919_111];

/** Largest travel of a seat, in mm. */
export const [TRAVEL_MAX_X, TRAVEL_MAX_Z] = [600, 300];
/** Largest distance between the places that are tried first, in mm. */
const [STEP_X, STEP_Z] = [50, 30];
/** Number of times that the distance is halved around the best of these places. */
const HALVINGS = 4;
/** How far the places that are tried later can be from these places, in mm. */
const REFINED_MM = 60;

/** Order in which demands are looked at: the quickest first. */
const QUICKEST = ['clearance', 'sight', 'target'];

/** Percentiles that an answer shows. */
export const SHOWN_PERCENTILES = [5, 50, 95] as const;

/** Quantiles at `SHOWN_PERCENTILES`, in mm; undefined if there is nobody. */
export type Shown = readonly [p5: number, p50: number, p95: number] | undefined;

/** The share of people whom a scene serves, and of each demand. */
export interface ReachShare {
  /** 0 to 1. */
  readonly share: number;
  /** Half width of the 95 % interval of `share`. */
  readonly error: number;
  /** `share` of people who are larger, and smaller, by some errors. Empty without errors. */
  readonly off: readonly number[];
  /** For each demand: the share that meets it, the share that fails only it, and the mm that those who fail it lack. */
  readonly demands: readonly {
    readonly share: number;
    readonly failsOnlyHere: number;
    readonly lackMm: Shown;
    /** Of a target that lies inside the body of half the people or more: how far it is from leaving nearly all. */
    readonly inside: Inside | undefined;
  }[];
  /** Place of the seat in its travel, of the people for whom everything holds, in mm. */
  readonly seat: { readonly x: Shown; readonly z: Shown } | undefined;
}

/** People of a population with the measurements that a scene needs. */
export interface ReachPeople {
  readonly count: number;
  /** Sum to 1. */
  readonly weights: Float64Array;
  value(person: number, name: MeasurementName): number;
  ageYears(person: number): number;
  scores(person: number): Scores;
}

/**
 * Draws people. The scores of what no measurement says are points of the same kind of lattice, with the roots of two
 * primes that the lattice of the measurements does not use.
 *
 * @throws Error for a measurement without a model in a cohort
 */
export function drawPeople(
  people: KeptPeople,
  names: readonly MeasurementName[],
  profiles: Profiles,
  count: number,
  seed: number,
): ReachPeople {
  const { peopleModel, cohorts } = people;
  const quantities = names.map((name) => peopleModel.indexOf(name));
  const { values, weights, cohort } = latticePeople(people, quantities, profiles, count, seed);
  const column = new Map(names.map((name, i) => [name, values[i]]));
  const scoreAt = (person: number, root: number): number => {
    const place = (person + seed) * root;
    return zOfPercentile(100 * Math.min(0.9999, Math.max(0.0001, place - Math.floor(place))));
  };
  return {
    ...{ count, weights },
    value: (person, name) => column.get(name)?.[person] ?? Number.NaN,
    ageYears: (person) => cohorts[cohort[person]].ageYears,
    scores: (person) => ({
      stretch: scoreAt(person, Math.sqrt(149)),
      raise: scoreAt(person, Math.sqrt(151)),
    }),
  };
}

/**
 * The share of a population for whom all demands of a scene hold at once. With a seat that moves, it is the share for
 * whom they hold at some place of the seat.
 *
 * @param part factor by which fewer people than usual are computed
 * @param errors by how much people may be larger or smaller in a measurement, mm. Few of the people are asked again, and
 * the change of their share is that of all.
 * @throws Error for a measurement without a model in a cohort
 */
export function reachShare(
  all: KeptPeople,
  scene: Scene,
  profiles: Profiles,
  stretch: Stretch,
  part = 1,
  errors?: (name: MeasurementName) => number,
): ReachShare {
  const people = sampleOfCohorts(all);
  const names = measurementsOf(scene);
  const { demands } = scene;
  const places = new Places(scene);
  const count = (places.isFixed ? PEOPLE : PEOPLE_WITH_TRAVEL) / part;
  const isFoot = (one: Demand): number => (one.kind === 'target' && one.by === 'foot' ? 1 : 0);
  const ordered = [...demands].sort(
    (a, b) => QUICKEST.indexOf(a.kind) - QUICKEST.indexOf(b.kind) || isFoot(a) - isFoot(b),
  );
  const held = new Float64Array(REPETITIONS);
  const changes = errors === undefined ? [] : DIRECTIONS.map(() => 0);
  const met = new Float64Array(demands.length);
  const alone = new Float64Array(demands.length);
  const lacks = demands.map((): Weighted[] => []);
  const insides = demands.map((): (readonly [found: Inside, weight: number])[] => []);
  const [seatX, seatZ]: [Weighted[], Weighted[]] = [[], []];
  for (let r = 0; r < REPETITIONS; r++) {
    const drawn = drawPeople(people, names, profiles, count, SEED + r * SEED_STEP);
    for (let i = 0; i < count; i++) {
      const person = personAt(drawn, i, scene, stretch);
      const weight = drawn.weights[i];
      const best = places.best(person, ordered);
      if (errors !== undefined && r < OFF_REPETITIONS) {
        DIRECTIONS.forEach((sign, direction) => {
          const other = personAt(drawn, i, scene, stretch, (name) => sign * errors(name));
          const holds = places.best(other, ordered).margin >= 0;
          if (holds === best.margin >= 0) return;
          const change = ((holds ? 1 : -1) * weight) / OFF_REPETITIONS;
          changes[direction] = changes[direction] + change;
        });
      }
      if (best.margin >= 0) {
        held[r] = held[r] + weight;
        seatX.push([best.x, weight]);
        seatZ.push([best.z, weight]);
        for (let d = 0; d < met.length; d++) met[d] = met[d] + weight;
        continue;
      }
      const margins = demands.map((demand) => places.best(person, [demand]).margin);
      const unmet = demands.filter((_, d) => margins[d] < 0);
      margins.forEach((margin, d) => {
        if (margin >= 0) met[d] = met[d] + weight;
        else {
          lacks[d].push([-margin, weight]);
          const found = places.inside(person, demands[d]);
          if (found !== undefined) insides[d].push([found, weight]);
        }
      });
      // If two demands hold nowhere, one of them is always among the others.
      if (unmet.length > 1) continue;
      places.holdsWithout(person, demands, unmet[0]).forEach((holds, d) => {
        if (holds) alone[d] = alone[d] + weight;
      });
    }
  }
  const { mean: share, error } = meanOf(held);
  return {
    ...{ share: Math.min(1, share), error, off: changes.map((change) => share + change) },
    demands: demands.map((_, d) => ({
      share: Math.min(1, met[d] / REPETITIONS),
      failsOnlyHere: Math.min(1 - share, alone[d] / REPETITIONS),
      lackMm: shownOf(lacks[d]),
      inside: insideOf(insides[d]),
    })),
    seat: places.isFixed ? undefined : { x: shownOf(seatX), z: shownOf(seatZ) },
  };
}

/**
 * The share of a population for whom each demand of some scenes holds by itself. Few people are asked, so it is within
 * about 0.03.
 *
 * @param holds whether a demand of a scene holds for a person
 * @throws Error for a measurement without a model in a cohort
 */
export function sharesAlone(
  all: KeptPeople,
  scenes: readonly Scene[],
  profiles: Profiles,
  stretch: Stretch,
  holds: (person: PersonInScene, demand: Demand, scene: Scene) => boolean,
): number[][] {
  const names = [...new Set(scenes.flatMap(measurementsOf))];
  const drawn = drawPeople(sampleOfCohorts(all), names, profiles, PEOPLE / 2, SEED);
  const shares = scenes.map(({ demands }) => demands.map(() => 0));
  for (let i = 0; i < drawn.count; i++) {
    for (const [s, scene] of scenes.entries()) {
      const person = personAt(drawn, i, scene, stretch);
      const own = shares[s];
      for (const [d, demand] of scene.demands.entries()) {
        if (holds(person, demand, scene)) own[d] = own[d] + drawn.weights[i];
      }
    }
  }
  return shares;
}

function personAt(
  drawn: ReachPeople,
  i: number,
  scene: Scene,
  stretch: Stretch,
  largerMm: (name: MeasurementName) => number = () => 0,
): PersonInScene {
  const value = (name: MeasurementName): number => drawn.value(i, name) + largerMm(name);
  return new PersonInScene(scene, value, drawn.ageYears(i), drawn.scores(i), stretch);
}

/** The move that leads out of nearly all bodies, if a target lies inside those of half the people or more. */
function insideOf(all: readonly (readonly [found: Inside, weight: number])[]): Inside | undefined {
  const share = all.reduce((sum, [, weight]) => sum + weight, 0) / REPETITIONS;
  if (share < 0.5) return undefined;
  const most = (of: (one: Inside) => number): number =>
    shownOf(all.map(([one, weight]) => [of(one), weight]))?.[2] as number;
  return {
    forwardMm: most(({ forwardMm }) => forwardMm),
    sidewaysMm: most(({ sidewaysMm }) => sidewaysMm),
    upMm: most(({ upMm }) => upMm),
  };
}

type Weighted = readonly [value: number, weight: number];

/** Quantiles of weighted values. */
function shownOf(values: Weighted[]): Shown {
  if (values.length === 0) return undefined;
  values.sort(([a], [b]) => a - b);
  const total = values.reduce((sum, [, weight]) => sum + weight, 0);
  const [p5, p50, p95] = SHOWN_PERCENTILES.map((percentile) => {
    let reached = 0;
    for (const [value, weight] of values) {
      reached += weight / total;
      if (reached >= percentile / 100) return value;
    }
    return values.at(-1)?.[0] as number;
  }) as [number, number, number];
  return [p5, p50, p95];
}

/** A place of the seat, and by how many mm the demands hold there. */
interface Place {
  readonly x: number;
  readonly z: number;
  readonly margin: number;
}

/** Places along a travel that are at most a step apart, the middle first. */
function placesAlong([least, most]: readonly [number, number], step: number): number[] {
  const parts = 2 * Math.ceil((most - least) / 2 / step);
  const all = Array.from(
    { length: parts + 1 },
    (_, i) => least + (parts > 0 ? i / parts : 0) * (most - least),
  );
  return [all[parts / 2], ...all.filter((_, i) => i !== parts / 2)];
}

/** Finds the place of the seat where the least margin of some demands is largest. */
class Places {
  readonly isFixed: boolean;
  private readonly first: readonly (readonly [x: number, z: number])[];
  private readonly steps: readonly [x: number, z: number];
  private readonly travelX: readonly [number, number];
  private readonly travelZ: readonly [number, number];

  constructor({ seat }: Scene) {
    const { travelX = [0, 0], travelZ = [0, 0] } = seat ?? {};
    this.travelX = travelX;
    this.travelZ = travelZ;
    const [xs, zs] = [placesAlong(travelX, STEP_X), placesAlong(travelZ, STEP_Z)];
    this.first = xs.flatMap((x) => zs.map((z) => [x, z] as const));
    this.isFixed = this.first.length === 1;
    const stepOf = (ends: readonly [number, number], { length }: readonly number[]): number =>
      length > 1 ? (ends[1] - ends[0]) / (length - 1) : 0;
    this.steps = [stepOf(travelX, xs), stepOf(travelZ, zs)];
  }

  /** The place where the least margin is largest. If all margins are equal, it is the middle. */
  best(person: PersonInScene, demands: readonly Demand[]): Place {
    let best: Place = { x: 0, z: 0, margin: Number.NEGATIVE_INFINITY };
    const look = (x: number, z: number): void => {
      let margin = Number.POSITIVE_INFINITY;
      for (const demand of demands) {
        margin = Math.min(margin, person.margin(demand, x, z));
        // No later demand can make this place the best one.
        if (margin <= best.margin) return;
      }
      best = { x, z, margin };
    };
    for (const [x, z] of this.first) look(x, z);
    if (this.isFixed) return best;
    const { travelX, travelZ } = this;
    let [stepX, stepZ] = this.steps;
    for (let halving = 0; halving < HALVINGS; halving++) {
      const { x, z } = best;
      stepX /= 2;
      stepZ /= 2;
      for (const moveX of stepX > 0 ? [-stepX, 0, stepX] : [0]) {
        for (const moveZ of stepZ > 0 ? [-stepZ, 0, stepZ] : [0]) {
          if (moveX === 0 && moveZ === 0) continue;
          look(
            Math.min(travelX[1], Math.max(travelX[0], x + moveX)),
            Math.min(travelZ[1], Math.max(travelZ[0], z + moveZ)),
          );
        }
      }
    }
    return best;
  }

  /**
   * For each demand, whether all others hold at some place.
   *
   * @param unmet the demand that holds nowhere, if there is one
   */
  holdsWithout(
    person: PersonInScene,
    demands: readonly Demand[],
    unmet: Demand | undefined,
  ): boolean[] {
    const others = (demand: Demand): boolean =>
      this.best(
        person,
        demands.filter((one) => one !== demand),
      ).margin >= 0;
    if (unmet !== undefined) return demands.map((demand) => demand === unmet && others(demand));
    const best = demands.map(() => Number.NEGATIVE_INFINITY);
    for (const [x, z] of this.first) {
      const margins = demands.map((demand) => person.margin(demand, x, z));
      const least = margins.indexOf(Math.min(...margins));
      const second = Math.min(...margins.filter((_, d) => d !== least));
      best.forEach((before, d) => {
        best[d] = Math.max(before, d === least ? second : margins[least]);
      });
    }
    return demands.map((demand, d) => {
      const found = best[d];
      return found >= 0 || (!this.isFixed && found >= -REFINED_MM && others(demand));
    });
  }

  /** How far a target is from leaving the body of a person; undefined if some place of the seat lets it be outside. */
  inside(person: PersonInScene, demand: Demand): Inside | undefined {
    let best: Inside | undefined;
    for (const [x, z] of this.first) {
      const found = person.inside(demand, x, z);
      if (found === undefined) return undefined;
      if (best === undefined || found.forwardMm < best.forwardMm) best = found;
    }
    return best;
  }
}

/** Number of places that are tried for one person at most, in a search for the best place. */
export function placesTried({ travelX, travelZ }: Pick<Seat, 'travelX' | 'travelZ'>): number {
  const [xs, zs] = [placesAlong(travelX, STEP_X).length, placesAlong(travelZ, STEP_Z).length];
  const around = (xs > 1 ? 3 : 1) * (zs > 1 ? 3 : 1) - 1;
  return xs * zs + HALVINGS * around;
}
