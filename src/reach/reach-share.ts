import type { MeasurementName } from '../core/measurements.js';
import { zOfPercentile } from '../lookup/cell.js';
import { meanOf, REPETITIONS } from '../population/box-probability.js';
import { latticePeople } from '../population/lattice-people.js';
import { type KeptPeople, sampleOfCohorts } from '../population/limits.js';
import type { Profiles } from '../population/people-model.js';
import { type Demand, measurementsOf, PersonInScene, type Scene } from './demands.js';
import type { Scores, Stretch } from './sitter.js';

/** People of each of the independent lattices, with a fixed seat and with a seat that moves. */
const [PEOPLE, PEOPLE_WITH_TRAVEL] = [2048, 384];
const SEED = 90_001;

/** Places of a moving seat that are tried first, along each axis, and how often the step is halved around the best. */
const [GRID_X, GRID_Z, HALVINGS] = [7, 4, 4];

/** Order in which demands are looked at: the quickest first. */
const QUICKEST = ['clearance', 'sight', 'target'];

/** Percentiles that an answer shows. */
export const SHOWN_PERCENTILES = [5, 50, 95] as const;

/** Quantiles at `SHOWN_PERCENTILES`, in mm; undefined if there is nobody. */
export type Shown = readonly [p5: number, p50: number, p95: number] | undefined;

/** Whom a scene serves. */
export interface ReachShare {
  /** 0 to 1. */
  readonly share: number;
  /** Half width of the 95 % interval of `share`. */
  readonly error: number;
  /** For each demand: who meets it, who fails nothing else, and what those who fail it lack, in mm. */
  readonly demands: readonly {
    readonly share: number;
    readonly failsOnlyHere: number;
    readonly lackMm: Shown;
  }[];
  /** Place of the seat in its travel, of the people for whom everything holds, in mm. */
  readonly seat: { readonly x: Shown; readonly z: Shown } | undefined;
  /** Share served of the people of each cohort, and their weight, by index in the population. */
  readonly byCohort: ReadonlyMap<number, { weight: number; served: number }>;
}

/** People of a population with the measurements that a scene needs. */
export interface ReachPeople {
  readonly count: number;
  /** Sum to 1. */
  readonly weights: Float64Array;
  /** Index of the cohort in the population. */
  readonly cohorts: Int32Array;
  value(person: number, name: MeasurementName): number;
  ageYears(person: number): number;
  scores(person: number): Scores;
}

/**
 * Draws people. The scores of what no measurement says are points of the same kind of lattice (Weyl 1916, with the roots
 * of 7 and 11), independent of the measurements.
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
  const { peopleModel, cohorts, indices } = people;
  const quantities = names.map((name) => peopleModel.indexOf(name));
  const { values, weights, cohort } = latticePeople(people, quantities, profiles, count, seed);
  const column = new Map(names.map((name, i) => [name, values[i] as Float64Array]));
  const scoreAt = (person: number, root: number): number => {
    const place = (person + seed) * root;
    return zOfPercentile(100 * Math.min(0.9999, Math.max(0.0001, place - Math.floor(place))));
  };
  return {
    ...{ count, weights },
    cohorts: cohort.map((c) => indices[c] as number),
    value: (person, name) => column.get(name)?.[person] ?? Number.NaN,
    ageYears: (person) => cohorts[cohort[person] as number]?.ageYears ?? 0,
    scores: (person) => ({
      stretch: scoreAt(person, Math.SQRT2 * Math.sqrt(3.5)),
      raise: scoreAt(person, Math.sqrt(11)),
    }),
  };
}

/**
 * The share of a population for whom all demands of a scene hold at once. With a seat that moves, it is the share for
 * whom they hold at some place of the seat.
 *
 * @param count people of each of the `REPETITIONS` lattices
 * @throws Error for a measurement without a model in a cohort
 */
export function reachShare(
  all: KeptPeople,
  scene: Scene,
  profiles: Profiles,
  stretch: Stretch,
  count = new Places(scene).isFixed ? PEOPLE : PEOPLE_WITH_TRAVEL,
): ReachShare {
  const people = sampleOfCohorts(all);
  const names = measurementsOf(scene);
  const { demands } = scene;
  const places = new Places(scene);
  const isFoot = (one: Demand): number => (one.kind === 'target' && one.by === 'foot' ? 1 : 0);
  const ordered = [...demands].sort(
    (a, b) => QUICKEST.indexOf(a.kind) - QUICKEST.indexOf(b.kind) || isFoot(a) - isFoot(b),
  );
  const held = new Float64Array(REPETITIONS);
  const met = new Float64Array(demands.length);
  const alone = new Float64Array(demands.length);
  const lacks = demands.map((): Weighted[] => []);
  const [seatX, seatZ]: [Weighted[], Weighted[]] = [[], []];
  const byCohort = new Map<number, { weight: number; served: number }>();
  for (let r = 0; r < REPETITIONS; r++) {
    const drawn = drawPeople(people, names, profiles, count, SEED + r);
    for (let i = 0; i < count; i++) {
      const person = new PersonInScene(
        scene,
        (name) => drawn.value(i, name),
        drawn.ageYears(i),
        drawn.scores(i),
        stretch,
      );
      const weight = drawn.weights[i] as number;
      const cohort = byCohort.get(drawn.cohorts[i] as number) ?? { weight: 0, served: 0 };
      byCohort.set(drawn.cohorts[i] as number, cohort);
      cohort.weight += weight;
      const best = places.best(person, ordered);
      const serves = best.margin >= 0;
      if (serves) {
        held[r] = (held[r] as number) + weight;
        cohort.served += weight;
        seatX.push([best.x, weight]);
        seatZ.push([best.z, weight]);
      }
      demands.forEach((demand, d) => {
        const margin = serves ? 0 : places.best(person, [demand], true).margin;
        if (margin >= 0) met[d] = (met[d] as number) + weight;
        else lacks[d]?.push([-margin, weight]);
        if (serves) return;
        const others = ordered.filter((other) => other !== demand);
        if (places.best(person, others, true).margin >= 0) {
          alone[d] = (alone[d] as number) + weight;
        }
      });
    }
  }
  const { mean: share, error } = meanOf(held);
  return {
    ...{ share: Math.min(1, share), error, byCohort },
    demands: demands.map((_, d) => ({
      share: Math.min(1, (met[d] as number) / REPETITIONS),
      failsOnlyHere: Math.min(1 - share, (alone[d] as number) / REPETITIONS),
      lackMm: shownOf(lacks[d] as Weighted[]),
    })),
    seat: places.isFixed ? undefined : { x: shownOf(seatX), z: shownOf(seatZ) },
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
    return values.at(-1)?.[0] ?? 0;
  }) as [number, number, number];
  return [p5, p50, p95];
}

/** A place of the seat, and by how many mm the demands hold there. */
interface Place {
  readonly x: number;
  readonly z: number;
  readonly margin: number;
}

/** Finds the place of the seat where the least margin of some demands is largest. */
class Places {
  readonly isFixed: boolean;
  private readonly first: readonly (readonly [x: number, z: number])[];
  private readonly stepX: number;
  private readonly stepZ: number;

  constructor(private readonly scene: Scene) {
    const { travelX = [0, 0], travelZ = [0, 0] } = scene.seat ?? {};
    const columns = (ends: readonly [number, number], count: number): number[] =>
      ends[0] === ends[1]
        ? [ends[0]]
        : Array.from(
            { length: count },
            (_, i) => ends[0] + (i / (count - 1)) * (ends[1] - ends[0]),
          );
    const [xs, zs] = [columns(travelX, GRID_X), columns(travelZ, GRID_Z)];
    this.first = xs.flatMap((x) => zs.map((z) => [x, z] as const));
    this.isFixed = this.first.length === 1;
    this.stepX = (travelX[1] - travelX[0]) / (GRID_X - 1);
    this.stepZ = (travelZ[1] - travelZ[0]) / (GRID_Z - 1);
  }

  /** @param isEnough whether any place where the demands hold will do */
  best(person: PersonInScene, demands: readonly Demand[], isEnough = false): Place {
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
    for (const [x, z] of this.first) {
      look(x, z);
      if (isEnough && best.margin >= 0) return best;
    }
    if (this.isFixed) return best;
    const { travelX = [0, 0], travelZ = [0, 0] } = this.scene.seat ?? {};
    let [stepX, stepZ] = [this.stepX / 2, this.stepZ / 2];
    for (let halving = 0; halving < HALVINGS; halving++) {
      const { x, z } = best;
      for (const moveX of stepX > 0 ? [-stepX, 0, stepX] : [0]) {
        for (const moveZ of stepZ > 0 ? [-stepZ, 0, stepZ] : [0]) {
          if (moveX === 0 && moveZ === 0) continue;
          look(
            Math.min(travelX[1], Math.max(travelX[0], x + moveX)),
            Math.min(travelZ[1], Math.max(travelZ[0], z + moveZ)),
          );
        }
      }
      if (isEnough && best.margin >= 0) return best;
      stepX /= 2;
      stepZ /= 2;
    }
    return best;
  }
}
