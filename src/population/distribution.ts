import { LRUCache } from 'lru-cache';
import { curveValue } from '../lookup/cell.js';
import { Z_COUNT, Z_FIRST, Z_MEDIAN, Z_STEP } from '../lookup/format.js';
import { fastPhi, fastScore, firstIndex, inside, rowStart } from '../numerics/numerics.js';
import { BoxPoints, REPETITIONS, shifts } from './box-probability.js';
import { Factors, type KeptPeople, type ScoreLimits } from './limits.js';
import { CurveJoiner, Mixture } from './mixture.js';
import { NUDE, type PeopleModel, type Profiles, type WeightedCohorts } from './people-model.js';

/** Maximum number of distributions that are kept: those of the limits of one request. */
const KNOWN_MAX = 20;

/**
 * The distributions of a population. They are mixtures of its cells. With conditions, they are mixtures of points
 * inside the conditions, which are found once for all quantities.
 */
export class Distributions {
  private conditioned: ConditionedPeople | undefined;
  private readonly known = new LRUCache<string, Mixture>({ max: KNOWN_MAX });

  constructor(private readonly people: KeptPeople) {}

  /**
   * The distribution of a quantity. The last few distributions are kept.
   *
   * @throws Error for a quantity without a model in a cohort
   */
  of(quantity: number, profiles: Profiles): Mixture {
    const key = `${quantity}|${profiles.clothing}|${profiles.posture}`;
    const found = this.known.get(key) ?? this.compute(quantity, profiles);
    this.known.set(key, found);
    return found;
  }

  private compute(quantity: number, profiles: Profiles): Mixture {
    const { people } = this;
    if (people.keep.length === 0) return mixtureOf(people.peopleModel, people, quantity, profiles);
    this.conditioned ??= new ConditionedPeople(people);
    return this.conditioned.of(quantity, profiles);
  }
}

/**
 * The mixture of a quantity over cohorts. Cells that are nearly equal are joined (`CurveJoiner`).
 *
 * @throws Error for a quantity without a model in a cohort
 */
export function mixtureOf(
  peopleModel: PeopleModel,
  { cohorts, weights }: WeightedCohorts,
  quantity: number,
  profiles: Profiles,
): Mixture {
  const joiner = new CurveJoiner();
  const cell = new Float64Array(Z_COUNT);
  cohorts.forEach((cohort, c) => {
    if (!peopleModel.fill(quantity, cohort, profiles, cell)) {
      throw new Error(`no model of ${peopleModel.names[quantity]} in a cohort`);
    }
    joiner.add(cell, weights[c]);
  });
  return new Mixture(joiner.curves());
}

/** Number of points of a repetition: at first `POINTS_FIRST`, then `POINTS_MOST` if the error requires it. */
const [POINTS_FIRST, POINTS_MOST] = [256, 1024];
const SEED = 30_011;
/** Percentiles whose errors are checked, and the maximum error in SD. */
const JUDGED = [5, 50, 95] as const;
const ERROR_SD = 0.01;

/**
 * The people of a population who meet conditions, as weighted points of a lattice inside the conditions (Genz 1992, J.
 * Comput. Graph. Stat. 1:141, as in `boxProbability`). A point represents people of one cohort with given scores in the
 * conditions. Among these people, the scores of another quantity are normal. For a quantity with its own condition, the
 * points are those of the other conditions. Its scores are then normal between the ends of its condition.
 */
class ConditionedPeople {
  /** The points of all conditions. */
  private all: Points | undefined;
  /** The cohorts, ordered so that people of similar size are neighbours. */
  private readonly order: Int32Array;

  constructor(private readonly people: KeptPeople) {
    this.order = bySize(people);
  }

  /**
   * The distribution of a quantity among these people. It uses as many points as the error requires.
   *
   * @throws Error for a quantity without a model in a cohort
   */
  of(quantity: number, profiles: Profiles): Mixture {
    const { people } = this;
    const { quantities } = people.conditions;
    const own = quantities.indexOf(quantity);
    const points = own < 0 ? this.pointsOfAll() : new Points(people, this.order, quantity);
    const joiner = new CurveJoiner(REPETITIONS);
    const given = new Given(points, quantity, profiles, own);
    for (let from = 0, to = POINTS_FIRST; ; from = to, to = POINTS_MOST) {
      points.draw(to);
      for (let at = from * REPETITIONS; at < to * REPETITIONS; at++) {
        const weight = given.curve(at);
        joiner.add(CURVE, weight, at % REPETITIONS);
      }
      const mixture = new Mixture(joiner.curves());
      const most = ERROR_SD * mixture.moments().sd;
      if (to === POINTS_MOST || JUDGED.every((one) => mixture.error(one) <= most)) return mixture;
    }
  }

  private pointsOfAll(): Points {
    this.all ??= new Points(this.people, this.order);
    return this.all;
  }
}

/** Points of people who meet all conditions, or all except one. */
class Points {
  /** Quantities of the conditions that the points meet. */
  readonly quantities: readonly number[];
  /** Index of the cohort of each point, [point][repetition]. */
  readonly cohortOf = new Int32Array(REPETITIONS * POINTS_MOST);
  readonly weights = new Float64Array(REPETITIONS * POINTS_MOST);
  /** Independent normal scores of each point, one for each quantity. */
  readonly scores: Float64Array;
  private readonly conditions: Pick<ScoreLimits, 'low' | 'high'>;
  /** The lattice of each repetition, and the shift of its positions among the cohorts. */
  private readonly lattices: readonly { readonly points: BoxPoints; readonly start: number }[];
  /** Cumulative weight of the cohorts in their order. */
  private readonly reached: Float64Array;
  private readonly factors: Factors;
  /** Points drawn so far in each repetition. */
  private drawn = 0;

  /** @param without quantity whose condition is left out */
  constructor(
    readonly people: KeptPeople,
    private readonly order: Int32Array,
    without?: number,
  ) {
    const { conditions, peopleModel, weights } = people;
    this.quantities = conditions.quantities.filter((quantity) => quantity !== without);
    this.conditions = without === undefined ? conditions : limitsOf(conditions, this.quantities);
    const n = this.quantities.length;
    this.scores = new Float64Array(REPETITIONS * POINTS_MOST * n);
    this.factors = new Factors(peopleModel, this.quantities);
    const random = shifts(SEED);
    this.lattices = Array.from({ length: REPETITIONS }, () => {
      const points = new BoxPoints(n, n);
      points.move(random);
      return { points, start: random() };
    });
    let sum = 0;
    this.reached = Float64Array.from(order, (c) => {
      sum += weights[c];
      return sum;
    });
  }

  /**
   * Draws points until each repetition has the given number. The first points of a power of two are at equal steps of
   * the cumulative weight (systematic sampling).
   */
  draw(points: number): void {
    const { cohorts, kept } = this.people;
    const n = this.quantities.length;
    const total = this.reached.at(-1) as number;
    for (; this.drawn < points; this.drawn++) {
      const place = reversedBits(this.drawn);
      this.lattices.forEach(({ points: lattice, start }, r) => {
        const c = this.cohortAt(((place + start) % 1) * total);
        const at = this.drawn * REPETITIONS + r;
        lattice.at(this.factors.of(cohorts[c]), this.conditions, c);
        this.cohortOf[at] = c;
        this.weights[at] = lattice.draw(this.drawn + 1) / kept[c];
        this.scores.set(lattice.independent, at * n);
      });
    }
  }

  /** The cohort at a position of the cumulative weight. */
  private cohortAt(place: number): number {
    const { reached, order } = this;
    return order[firstIndex(reached.length - 1, (at) => reached[at] > place)];
  }
}

/** The curves of a quantity among the people of the points. */
class Given {
  private readonly factors: Factors;

  /** @param own index of the quantity among the conditions, or −1 if it has no condition */
  constructor(
    private readonly points: Points,
    private readonly quantity: number,
    private readonly profiles: Profiles,
    private readonly own: number,
  ) {
    this.factors = new Factors(points.people.peopleModel, [...points.quantities, quantity]);
  }

  /**
   * Writes the curve among the people of a point to `CURVE`.
   *
   * @returns weight of the point
   */
  curve(at: number): number {
    const { points, quantity } = this;
    const { peopleModel, cohorts, conditions } = points.people;
    const c = points.cohortOf[at];
    const cohort = cohorts[c];
    if (!peopleModel.fill(quantity, cohort, this.profiles, CELL)) {
      throw new Error(`no model of ${peopleModel.names[quantity]} in a cohort`);
    }
    const n = points.quantities.length;
    const factor = this.factors.of(cohort);
    const row = rowStart(n);
    let mean = 0;
    for (let j = 0; j < n; j++) {
      mean += factor[row + j] * points.scores[at * n + j];
    }
    const sd = factor[row + n];
    const weight = points.weights[at];
    if (this.own < 0) {
      for (let k = 0; k < Z_COUNT; k++) CURVE[k] = curveValue(CELL, mean + sd * Z[k]);
      return weight;
    }
    const end = c * conditions.quantities.length + this.own;
    const from = fastPhi((conditions.low[end] - mean) / sd);
    const to = fastPhi((conditions.high[end] - mean) / sd);
    for (let k = 0; k < Z_COUNT; k++) {
      const score = fastScore(inside(from + SHARES[k] * (to - from)));
      CURVE[k] = curveValue(CELL, mean + sd * score);
    }
    return weight * Math.max(0, to - from);
  }
}

/** The limits of some of the quantities. */
function limitsOf(limits: ScoreLimits, quantities: readonly number[]): ScoreLimits {
  const [n, k] = [limits.quantities.length, quantities.length];
  const columns = quantities.map((quantity) => limits.quantities.indexOf(quantity));
  const of = (ends: Float64Array): Float64Array => {
    const some = new Float64Array((ends.length / n) * k);
    columns.forEach((column, i) => {
      for (let c = 0; c * n < ends.length; c++) some[c * k + i] = ends[c * n + column];
    });
    return some;
  };
  return { quantities, low: of(limits.low), high: of(limits.high) };
}

/** Number of bands of stature. Within each band, cohorts are ordered by BMI. */
const BANDS = 32;

/**
 * Cohorts by bands of their median stature. Within a band, they are ordered by median BMI, ascending and descending in
 * turn. The values of a lattice therefore change little from one cohort to the next, which makes its error small.
 */
function bySize({ peopleModel, cohorts, weights }: KeptPeople): Int32Array {
  const [statures, ratios] = [peopleModel.stature, peopleModel.bmi].map((quantity) =>
    Float64Array.from(cohorts, (cohort) => {
      if (!peopleModel.fill(quantity, cohort, NUDE, CELL))
        throw new Error('a cohort has no stature');
      return CELL[Z_MEDIAN];
    }),
  ) as [Float64Array, Float64Array];
  const by = (values: Float64Array) => (a: number, b: number) => values[a] - values[b];
  const order = Int32Array.from(cohorts.keys()).sort(by(statures));
  let [reached, from] = [0, 0];
  for (let band = 0; band < BANDS; band++) {
    let to = from;
    while (to < order.length && (reached < (band + 1) / BANDS || band + 1 === BANDS)) {
      reached += weights[order[to++]];
    }
    const part = order.subarray(from, to).sort(by(ratios));
    if (band % 2 === 1) part.reverse();
    from = to;
  }
  return order;
}

/** Normal scores of the knots. `SHARES` are the shares of people below them. */
const Z = Float64Array.from({ length: Z_COUNT }, (_, k) => Z_FIRST + k * Z_STEP);
const SHARES = Z.map(fastPhi);
/** Memory of one curve at a time. */
const [CELL, CURVE] = [new Float64Array(Z_COUNT), new Float64Array(Z_COUNT)];

/**
 * The number from 0 to 1 with the binary digits of an index in reverse order (van der Corput 1935). The numbers of the
 * first 2^m indices are evenly spaced.
 */
function reversedBits(index: number): number {
  let [reversed, digit] = [0, 0.5];
  for (let rest = index; rest > 0; rest >>= 1, digit /= 2) if (rest & 1) reversed += digit;
  return reversed;
}
