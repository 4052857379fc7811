import type { Gender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { sharedPlace } from '../model/regions.js';
import {
  type Block,
  expectedScale,
  fitVariances,
  type SolvedBlock,
  solveBlock,
} from './variance-components.js';

/** The properties of a sample or a population that it can share with others. */
export interface Origin {
  readonly gender: Gender;
  readonly country: string;
  /** Survey family of a sample; none for a population. */
  readonly family?: string;
  /** Time since the base survey in half-centuries, 0 or less; era effects are in proportion to it. */
  readonly era: number;
}

/** A departure of one sample in one dimension, from an expected value of 0. */
export interface Evidence extends Origin {
  readonly family: string;
  readonly measurement: MeasurementName;
  readonly value: number;
  /** Sampling variance of the value. */
  readonly sampling: number;
  /** The source suggests another definition or a misprint, or the match is not exact. */
  readonly doubtful: boolean;
  /** The base survey itself, which does not depart. A dimension with no other evidence is left out. */
  readonly anchor?: boolean;
}

/** A departure expected of a population, and its standard deviation. */
export interface Expected {
  readonly value: number;
  readonly sd: number;
}

type Similarity = (a: Origin, b: Origin) => number;

const same = (holds: boolean): number => (holds ? 1 : 0);
const sameFamily: Similarity = (a, b) => same(a.family !== undefined && a.family === b.family);
const ofGender =
  (similarity: Similarity): Similarity =>
  (a, b) =>
    same(a.gender === b.gender) * similarity(a, b);

/**
 * Causes that the departures of two origins can share; each has a variance. They are: definitions and
 * levels that differ from the base everywhere; the people of the super-region, region and country; the
 * definitions and instruments of one survey family; and the era, in proportion to the years before the
 * base survey. What is of the world, of a family or of an era has a part for both genders and a part for
 * each, because women are measured by other people and over other clothes than men.
 */
const SHARED: Readonly<Record<string, Similarity>> = {
  world: () => 1,
  worldOfGender: ofGender(() => 1),
  superregion: (a, b) => sharedPlace(a.country, b.country, 'superregion'),
  region: (a, b) => sharedPlace(a.country, b.country, 'region'),
  country: (a, b) => sharedPlace(a.country, b.country, 'country'),
  family: sameFamily,
  familyOfGender: ofGender(sameFamily),
  era: (a, b) => a.era * b.era,
  eraOfGender: ofGender((a, b) => a.era * b.era),
};
const SIMILARITIES = Object.values(SHARED);

/** Names of the variance components, in the order of the variances. */
export const COMPONENTS: readonly string[] = [...Object.keys(SHARED), 'own', 'ownOfDoubtful'];

/**
 * Prior of the variances: each component is (0.17 SD)², within a factor of e. All dimensions together
 * update this prior; each group of dimensions then departs from the result by about a factor of 1.4. The
 * priors keep a variance for which there are few studies from following those studies. Other widths
 * gave similar errors of families left out, within 0.003 SD.
 */
const PRIOR = { variance: 0.03, sd: 1, sdOfGroup: 0.35 };

function blockOf(rows: readonly Evidence[]): Block {
  const n = rows.length;
  const kernel = (of: (a: Evidence, b: Evidence, onDiagonal: boolean) => number) => {
    const values = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        const value = of(rows[i] as Evidence, rows[j] as Evidence, i === j);
        values[i * n + j] = value;
        values[j * n + i] = value;
      }
    }
    return values;
  };
  return {
    values: Float64Array.from(rows, ({ value }) => value),
    known: Float64Array.from(rows, ({ sampling }) => sampling),
    kernels: [
      ...SIMILARITIES.map((similarity) => kernel(similarity)),
      kernel((a, _, onDiagonal) => same(onDiagonal && !a.doubtful)),
      kernel((a, _, onDiagonal) => same(onDiagonal && a.doubtful)),
    ],
  };
}

/** One dimension's evidence under the variances of its group. */
interface Pool {
  readonly rows: readonly Evidence[];
  readonly variances: readonly number[];
  readonly solved: SolvedBlock;
}

/** Variances of each group of dimensions. */
function fitGroups(groups: ReadonlyMap<string, readonly Block[]>): Map<string, number[]> {
  const means = COMPONENTS.map(() => Math.log(PRIOR.variance));
  const overall = fitVariances([...groups.values()].flat(), { means, sd: PRIOR.sd });
  const prior = { means: overall.map(Math.log), sd: PRIOR.sdOfGroup };
  return new Map([...groups].map(([group, blocks]) => [group, fitVariances(blocks, prior)]));
}

/** Departures learned from evidence. */
export interface Pooling {
  /** Variances by group of dimensions, in the order of `COMPONENTS`. */
  readonly variances: ReadonlyMap<string, readonly number[]>;
  /** Expected departure of a population; 0 where a dimension has no evidence. */
  expected(origin: Origin, measurement: MeasurementName): Expected;
  /**
   * Expected departure that a new survey of a population would show, with the errors of its own.
   *
   * @param sampling sampling variance of the new survey
   */
  expectedOfSurvey(origin: Origin, measurement: MeasurementName, sampling: number): Expected;
}

/** Name of a survey that is not among the evidence. */
const NEW_FAMILY = 'a new survey';

type Fitted = readonly number[];

function covariance(variances: Fitted, a: Origin, b: Origin): number {
  let sum = 0;
  for (let c = 0; c < SIMILARITIES.length; c++) {
    sum += (variances[c] as number) * (SIMILARITIES[c] as Similarity)(a, b);
  }
  return sum;
}

/**
 * Partial pooling. First the variances of the shared causes are fitted by maximum marginal likelihood,
 * one set for each group of dimensions. Then each dimension gets its best linear unbiased prediction
 * (Robinson 1991, Statist. Sci. 6:15). An origin with much evidence moves far. An origin without
 * evidence gets the departures that it shares with others, with a larger standard deviation.
 *
 * @param groupOf group of dimensions that share variances
 * @param known variances by group to use instead of fitting them to this evidence
 */
export function fitPooling(
  evidence: readonly Evidence[],
  groupOf: (measurement: MeasurementName) => string,
  known?: Pooling['variances'],
): Pooling {
  const byDimension = new Map<MeasurementName, Evidence[]>();
  for (const row of evidence) {
    const rows = byDimension.get(row.measurement);
    if (rows === undefined) byDimension.set(row.measurement, [row]);
    else rows.push(row);
  }
  const groups = new Map<string, { name: MeasurementName; rows: Evidence[]; block: Block }[]>();
  for (const [name, rows] of byDimension) {
    if (rows.every(({ anchor }) => anchor === true)) continue;
    const group = groupOf(name);
    const entry = { name, rows, block: blockOf(rows) };
    groups.set(group, [...(groups.get(group) ?? []), entry]);
  }
  const variances =
    known ?? fitGroups(new Map([...groups].map(([g, all]) => [g, all.map(({ block }) => block)])));
  const pools = new Map<MeasurementName, Pool>();
  for (const [group, members] of groups) {
    const fitted = variances.get(group);
    if (fitted === undefined) continue;
    for (const { name, rows, block } of members) {
      pools.set(name, { rows, variances: fitted, solved: solveBlock(block, fitted) });
    }
  }
  /** @param own variance of what the origin shares with no evidence */
  const predicted = (origin: Origin, measurement: MeasurementName, own: (v: Fitted) => number) => {
    const pool = pools.get(measurement);
    const fitted = pool?.variances ?? variances.get(groupOf(measurement));
    if (fitted === undefined) return { value: 0, sd: 0 };
    return predict(pool, fitted, origin, own(fitted));
  };
  return {
    variances,
    expected: (origin, measurement) => predicted(origin, measurement, () => 0),
    expectedOfSurvey: (origin, measurement, sampling) =>
      predicted({ ...origin, family: NEW_FAMILY }, measurement, (fitted) => {
        return (fitted[COMPONENTS.indexOf('own')] as number) + sampling;
      }),
  };
}

/** Best linear unbiased prediction; without evidence the prior alone. */
function predict(pool: Pool | undefined, variances: Fitted, origin: Origin, own: number): Expected {
  const all = covariance(variances, origin, origin) + own;
  if (pool === undefined) return { value: 0, sd: Math.sqrt(all * expectedScale()) };
  const { rows, solved } = pool;
  const shared = rows.map((row) => covariance(variances, origin, row));
  const value = shared.reduce((sum, a, i) => sum + a * (solved.weights[i] as number), 0);
  return {
    value,
    // Computed when asked for, because it takes far longer than the value.
    get sd() {
      const left = Math.max(0, all - explainedVariance(shared, solved.inverse));
      return Math.sqrt(left * expectedScale(solved));
    },
  };
}

/** Variance of a prediction that the evidence explains: shared' inverse shared. */
function explainedVariance(shared: readonly number[], inverse: ArrayLike<number>): number {
  const n = shared.length;
  let explained = 0;
  for (let i = 0; i < n; i++) {
    const a = shared[i] as number;
    for (let j = 0; j < n; j++) {
      explained += a * (shared[j] as number) * (inverse[i * n + j] as number);
    }
  }
  return explained;
}
