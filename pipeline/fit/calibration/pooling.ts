import type { Gender } from '../../../src/core/genders.js';
import type { MeasurementName } from '../../../src/core/measurements.js';
import { Z95 } from '../../numerics/marginal.js';
import { memoise } from '../../numerics/numbers.js';
import { sharedPlace } from '../../plans/regions.js';
import {
  type Block,
  expectedScale,
  fitVariances,
  leftOutErrors,
  type SolvedBlock,
  solve,
} from './variance-components.js';

/** The properties of a sample or a population that it can share with others. */
export interface Origin {
  readonly gender: Gender;
  readonly country: string;
  /** Survey family of a sample; none for a population. */
  readonly family?: string | undefined;
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
  /** The source suggests another definition or a misprint, or the dimension does not match exactly. */
  readonly doubtful: boolean;
  /**
   * Whether this is the base survey, which has no departure. A dimension with no other evidence is left
   * out.
   */
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

/** Years after which the correlation between the people of a country at two times is 1 ÷ e. */
const DRIFT_YEARS = 25;
/** Years in the unit of `Origin.era`. */
export const YEARS_AN_ERA = 50;
/** Correlation between two eras of the effects that change with time in a country. */
const sharedTime = (a: number, b: number): number =>
  Math.exp((-YEARS_AN_ERA * Math.abs(a - b)) / DRIFT_YEARS);

/**
 * Causes that the departures of two origins can share. Each cause has a variance.
 * - The world: definitions and levels that differ from the base survey everywhere.
 * - The people of the super-region, the region and the country.
 * - The people of the country at a time. They change, so an old survey tells less about today.
 * - The definitions and instruments of one survey family.
 * - The era, in proportion to the years before the base survey.
 *
 * World, family and era have a part for both genders and a part for each gender, because women are measured
 * by other people and over other clothes than men.
 */
const SHARED: Readonly<Record<string, Similarity>> = {
  world: () => 1,
  worldOfGender: ofGender(() => 1),
  superregion: (a, b) => sharedPlace(a.country, b.country, 'superregion'),
  region: (a, b) => sharedPlace(a.country, b.country, 'region'),
  country: (a, b) => sharedPlace(a.country, b.country, 'country'),
  countryThen: (a, b) => sharedPlace(a.country, b.country, 'country') * sharedTime(a.era, b.era),
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
 * update this prior. Each group of dimensions then departs from the result by about a factor of 1.4. If a
 * variance rests on few studies, the priors keep it from following them. Other widths changed the errors of
 * left-out families by at most 0.003 SD.
 */
const PRIOR = { variance: 0.03, sd: 1, sdOfGroup: 0.35 };

/** Similarities of origins to the distinct origins of the evidence. Each is computed once. */
class Similarities {
  private readonly origins: Origin[] = [];
  private readonly indices = new Map<string, number>();
  private readonly known = new Map<string, Float64Array>();

  constructor(evidence: readonly Origin[]) {
    for (const origin of evidence) {
      const key = keyOf(origin);
      if (this.indices.has(key)) continue;
      this.indices.set(key, this.origins.length);
      this.origins.push(origin);
    }
  }

  /** Number of an origin of the evidence. */
  indexOf(origin: Origin): number {
    return this.indices.get(keyOf(origin)) as number;
  }

  /**
   * Tells whether an origin of the evidence, given by its number, is of a country. US soldiers by origin
   * (`US/…`) are no survey of the places that their ancestors came from.
   */
  isOf(country: string): (origin: number) => boolean {
    return (origin) => this.origins[origin]?.country === country;
  }

  /** Similarities to every origin of the evidence: [origin][component of `SHARED`]. */
  to(origin: Origin): Float64Array {
    const key = keyOf(origin);
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const values = new Float64Array(this.origins.length * SIMILARITIES.length);
    let at = 0;
    for (const other of this.origins) {
      for (const similarity of SIMILARITIES) values[at++] = similarity(origin, other);
    }
    this.known.set(key, values);
    return values;
  }
}

const keyOf = ({ gender, country, family, era }: Origin): string =>
  `${gender}|${country}|${family}|${era}`;

function blockOf(rows: readonly Evidence[], similarities: Similarities): Block {
  const n = rows.length;
  const [components, indices] = [SIMILARITIES.length, originsOf(rows, similarities)];
  const shared = rows.map((row) => similarities.to(row));
  const kernels = SIMILARITIES.map((_, c) => {
    const kernel = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      const toOthers = shared[i];
      for (let j = 0; j < n; j++) {
        kernel[i * n + j] = toOthers[indices[j] * components + c];
      }
    }
    return kernel;
  });
  return {
    values: Float64Array.from(rows, ({ value }) => value),
    known: Float64Array.from(rows, ({ sampling }) => sampling),
    kernels,
    diagonals: [
      Float64Array.from(rows, ({ doubtful }) => same(!doubtful)),
      Float64Array.from(rows, ({ doubtful }) => same(doubtful)),
    ],
  };
}

function originsOf(rows: readonly Evidence[], similarities: Similarities): Int32Array {
  return Int32Array.from(rows, (row) => similarities.indexOf(row));
}

/** One dimension's evidence under the variances of its group. */
interface Pool {
  /** Number of the origin of each row. */
  readonly origins: Int32Array;
  readonly variances: readonly number[];
  readonly solved: SolvedBlock;
}

/** Variances of each group of dimensions. */
function fitGroups(
  groups: ReadonlyMap<string, readonly { readonly rows: readonly Evidence[] }[]>,
  similarities: Similarities,
): Map<string, number[]> {
  const blocks = new Map(
    [...groups].map(([group, members]) => [
      group,
      members.map(({ rows }) => blockOf(rows, similarities)),
    ]),
  );
  const means = COMPONENTS.map(() => Math.log(PRIOR.variance));
  const overall = fitVariances([...blocks.values()].flat(), { means, sd: PRIOR.sd });
  const prior = { means: overall.map(Math.log), sd: PRIOR.sdOfGroup };
  return new Map([...blocks].map(([group, members]) => [group, fitVariances(members, prior)]));
}

/** Departures learned from evidence. */
export interface Pooling {
  /** Variances by group of dimensions, in the order of `COMPONENTS`. */
  readonly variances: ReadonlyMap<string, readonly number[]>;
  /** Expected departure of a population; 0 where a dimension has no evidence. */
  expected(origin: Origin, measurement: MeasurementName): Expected;
  /**
   * Share by which the expected departure follows the surveys of the population's own country: the sum of
   * their coefficients in the prediction. If all these surveys had printed 1 more, the prediction would be
   * higher by this share.
   */
  weightOfCountry(origin: Origin, measurement: MeasurementName): number;
  /**
   * Variance of the departures of one gender that comes from the definitions and instruments of a survey
   * family.
   */
  familyVariance(gender: Gender, measurement: MeasurementName): number;
  /**
   * Expected departure that a new survey of a population would show. Its SD contains the survey's own
   * errors, and those of its definitions and instruments, unless the origin names a survey family that has them too.
   *
   * @param sampling sampling variance of the new survey
   */
  expectedOfSurvey(origin: Origin, measurement: MeasurementName, sampling: number): Expected;
}

/** Minimum number of left-out errors from which the standard errors of a group are checked. */
const FEWEST_LEFT_OUT = 30;

/** Whether a row comes from a survey of a country, with definitions that are not in doubt. */
const isSurvey = ({ anchor, doubtful, country }: Evidence): boolean =>
  anchor !== true && !doubtful && !country.includes('/');

/** Name of a survey that is not among the evidence. */
const NEW_FAMILY = 'a new survey';

type Fitted = readonly number[];

/** Variance that the shared causes give to the departure of an origin. */
function sharedVariance(variances: Fitted, origin: Origin): number {
  return SIMILARITIES.reduce((sum, similarity, c) => {
    return sum + variances[c] * similarity(origin, origin);
  }, 0);
}

/** Covariances between the departure of an origin and that of every origin of the evidence. */
function covariances(variances: Fitted, similarities: Float64Array): Float64Array {
  const components = SIMILARITIES.length;
  const values = new Float64Array(similarities.length / components);
  for (let i = 0; i < values.length; i++) {
    let sum = 0;
    for (let c = 0; c < components; c++) {
      sum += variances[c] * similarities[i * components + c];
    }
    values[i] = sum;
  }
  return values;
}

/**
 * Fits departures by partial pooling. First the variances of the shared causes are fitted by maximum
 * marginal likelihood, one set for each group of dimensions. Then each dimension gets its best linear
 * unbiased prediction (Robinson 1991, Statist. Sci. 6:15). An origin with much evidence follows it closely.
 * An origin without evidence gets the departures that it shares with others, with a larger standard
 * deviation.
 *
 * @param groupOf group of dimensions that share variances
 * @param known variances by group to use instead of fitting them to this evidence
 */
export function fitPooling(
  evidence: readonly Evidence[],
  groupOf: (measurement: MeasurementName) => string,
  known?: Pooling['variances'],
): Pooling {
  const similarities = new Similarities(evidence);
  const byDimension = new Map<MeasurementName, Evidence[]>();
  for (const row of evidence) {
    const rows = byDimension.get(row.measurement);
    if (rows === undefined) byDimension.set(row.measurement, [row]);
    else rows.push(row);
  }
  const groups = new Map<string, { name: MeasurementName; rows: Evidence[] }[]>();
  for (const [name, rows] of byDimension) {
    if (rows.every(({ anchor }) => anchor === true)) continue;
    const group = groupOf(name);
    groups.set(group, [...(groups.get(group) ?? []), { name, rows }]);
  }
  const variances = known ?? fitGroups(groups, similarities);
  // All dimensions of a group share the covariances of an origin.
  const covarianceOf = new Map<Fitted, Map<string, Float64Array>>();
  const covariancesOf = (fitted: Fitted, origin: Origin): Float64Array => {
    const known = covarianceOf.get(fitted) ?? new Map<string, Float64Array>();
    covarianceOf.set(fitted, known);
    const key = keyOf(origin);
    const found = known.get(key) ?? covariances(fitted, similarities.to(origin));
    known.set(key, found);
    return found;
  };
  const pools = new Map<MeasurementName, Pool>();
  for (const [group, members] of groups) {
    const fitted = variances.get(group);
    if (fitted === undefined) continue;
    const own = fitted[COMPONENTS.indexOf('own')];
    const ownOfDoubtful = fitted[COMPONENTS.indexOf('ownOfDoubtful')];
    for (const { name, rows } of members) {
      const origins = originsOf(rows, similarities);
      const n = rows.length;
      const matrix = new Float64Array(n * n);
      rows.forEach((row, i) => {
        const shared = covariancesOf(fitted, row);
        for (let j = 0; j <= i; j++) matrix[i * n + j] = shared[origins[j]];
        const ii = i * n + i;
        matrix[ii] = matrix[ii] + (row.doubtful ? ownOfDoubtful : own) + row.sampling;
      });
      const solved = solve(
        Float64Array.from(rows, ({ value }) => value),
        matrix,
      );
      pools.set(name, { origins, variances: fitted, solved });
    }
  }
  /** Errors of the families that are left out, in standard errors, by gender. */
  const leftOut = memoise((group: string) =>
    (groups.get(group) ?? []).flatMap(({ name, rows }) => {
      const { solved } = pools.get(name) as Pool;
      const scored = rows.flatMap((row, i) => (isSurvey(row) ? [{ row, i }] : []));
      const families = new Set(scored.map(({ row }) => row.family));
      return [...families].flatMap((family) => {
        const out = rows.flatMap((row, i) => (row.family === family ? [i] : []));
        const found = leftOutErrors(solved, out);
        return out.flatMap((i, at) => {
          const { gender } = rows[i];
          return isSurvey(rows[i]) ? [{ gender, size: Math.abs(found[at]) }] : [];
        });
      });
    }),
  );
  /**
   * Factor on the standard errors of a group in one gender, at least 1. Nine tenths of the errors of left-out
   * families should be within 1.645 standard errors. The factor achieves this. Women need their own, because
   * fewer surveys measure them.
   */
  const widened = memoise((key: string): number => {
    const [group = '', gender] = key.split('|');
    const all = leftOut(group);
    const own = all.filter((error) => error.gender === gender);
    const errors = (own.length < FEWEST_LEFT_OUT ? all : own).map(({ size }) => size);
    if (errors.length < FEWEST_LEFT_OUT) return 1;
    errors.sort((a, b) => a - b);
    const nineTenths = errors[Math.ceil(0.9 * errors.length) - 1];
    return Math.max(1, nineTenths / Z95);
  });
  /** @param own variance of the effects that the origin shares with no evidence */
  const predicted = (origin: Origin, measurement: MeasurementName, own: (v: Fitted) => number) => {
    const pool = pools.get(measurement);
    const fitted = pool?.variances ?? variances.get(groupOf(measurement));
    if (fitted === undefined) return { value: 0, sd: 0 };
    const all = sharedVariance(fitted, origin) + own(fitted);
    const factor = () => widened(`${groupOf(measurement)}|${origin.gender}`);
    if (pool === undefined) return { value: 0, sd: factor() * Math.sqrt(all * expectedScale()) };
    return predict(pool, covariancesOf(fitted, origin), all, factor);
  };
  return {
    variances,
    expected: (origin, measurement) => predicted(origin, measurement, () => 0),
    familyVariance: (gender, measurement) => {
      const fitted = pools.get(measurement)?.variances ?? variances.get(groupOf(measurement));
      if (fitted === undefined) return 0;
      const of = (component: string) => fitted[COMPONENTS.indexOf(component)];
      const scale = expectedScale(pools.get(measurement)?.solved);
      const factor = widened(`${groupOf(measurement)}|${gender}`);
      return (of('family') + of('familyOfGender')) * scale * factor ** 2;
    },
    weightOfCountry: (origin, measurement) => {
      const pool = pools.get(measurement);
      if (pool === undefined) return 0;
      const isOwn = similarities.isOf(origin.country);
      return weightOf(pool, covariancesOf(pool.variances, origin), isOwn);
    },
    expectedOfSurvey: (origin, measurement, sampling) =>
      predicted({ ...origin, family: origin.family ?? NEW_FAMILY }, measurement, (fitted) => {
        return fitted[COMPONENTS.indexOf('own')] + sampling;
      }),
  };
}

/**
 * Best linear unbiased prediction.
 *
 * @param covariances covariances with each origin of the evidence
 * @param all variance of the departure before the evidence
 * @param factor factor on the standard error
 */
function predict(
  { origins, solved }: Pool,
  covariances: Float64Array,
  all: number,
  factor: () => number,
): Expected {
  const { weights, inverse } = solved;
  let value = 0;
  for (let i = 0; i < origins.length; i++) {
    value += covariances[origins[i]] * weights[i];
  }
  return {
    value,
    // The SD is computed only when it is asked for, because it takes far longer than the value.
    get sd() {
      const shared = Float64Array.from(origins, (origin) => covariances[origin]);
      const left = Math.max(0, all - explainedVariance(shared, inverse));
      return factor() * Math.sqrt(left * expectedScale(solved));
    },
  };
}

/** Sum of the coefficients (inverse × shared) that some rows of evidence have in a prediction. */
function weightOf(
  { origins, solved: { inverse } }: Pool,
  covariances: Float64Array,
  isOwn: (origin: number) => boolean,
): number {
  const n = origins.length;
  let sum = 0;
  for (let i = 0; i < n; i++) {
    if (!isOwn(origins[i])) continue;
    for (let j = 0; j < n; j++) {
      sum += inverse[i * n + j] * covariances[origins[j]];
    }
  }
  return sum;
}

/** Variance of a prediction that the evidence explains: shared' inverse shared. */
function explainedVariance(shared: Float64Array, inverse: ArrayLike<number>): number {
  const n = shared.length;
  let explained = 0;
  for (let i = 0; i < n; i++) {
    const a = shared[i];
    for (let j = 0; j < n; j++) {
      explained += a * shared[j] * inverse[i * n + j];
    }
  }
  return explained;
}
