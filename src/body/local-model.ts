import { factor, substitute } from '../numerics/numerics.js';
import { PARAMETER, type PersonShape } from './shape.js';
import { clamp } from './vectors.js';

/** A reading as a linear function of the points, divided by its standard deviation. */
export interface Place {
  /** Gradient × columns of the shape. */
  readonly columns: Float64Array;
  /** Asked minus achieved value at the present parameters. */
  readonly residual: number;
}

/** The places that give a reading. The largest of their values counts, so the smallest of their residuals counts. */
export type Row = readonly Place[];

/**
 * Maximum number of steps inside the model. They end when each parameter moves by less than `STILL` standard
 * deviations.
 */
const STEPS_MOST = 6;
const STILL = 0.03;
/** Maximum number of times that a step is halved because it makes the model worse. */
const HALVES = 6;
/**
 * Maximum number of tries to find which places have the largest value together. `EQUAL` is the tolerance, in standard
 * deviations.
 */
const TRIES = 8;
const EQUAL = 0.05;
/** Weight of an equation that holds two places equal. */
const HOLD = 30;

/**
 * A model of the readings while only the shape changes. The pose and the measured points stay the same.
 *
 * @param from the parameters at which the readings were taken
 * @returns a function from a damping to the parameters that minimize the damped cost of the model
 */
export function localModel(
  shape: PersonShape,
  priors: readonly Prior[],
  from: Float64Array,
  rows: readonly Row[],
): (damping: number) => Float64Array {
  const places = rows.flat();
  let next = 0;
  /** The numbers of the places of each reading. */
  const readings = rows.map((row) => row.map(() => next++));
  /** Amounts of the columns, including the scale. */
  const scaled = (x: Float64Array): Float64Array => {
    const amounts = shape.amounts(x);
    const scale = 1 + x[PARAMETER.scale];
    for (let k = 0; k < amounts.length; k++) amounts[k] = scale * amounts[k];
    return amounts;
  };
  const begin = scaled(from);
  /** Residual of each place at some parameters. */
  const residualsAt = (x: Float64Array): Float64Array => {
    const more = scaled(x);
    for (let k = 0; k < more.length; k++) more[k] -= begin[k];
    return Float64Array.from(places, ({ columns, residual }) => {
      let left = residual;
      for (let k = 0; k < columns.length; k++) left -= columns[k] * more[k];
      return left;
    });
  };
  const costOf = (x: Float64Array, residuals: Float64Array, damping: number): number => {
    let cost = 0;
    for (const own of readings) {
      let least = Infinity;
      for (const place of own) least = Math.min(least, residuals[place]);
      cost += least * least;
    }
    priors.forEach(({ mean, sd }, i) => {
      cost += ((x[i] - mean) / sd) ** 2 + damping * ((x[i] - from[i]) / sd) ** 2;
    });
    return cost;
  };
  /** A step with the slopes at some parameters. */
  const linearStep = (x: Float64Array, residuals: Float64Array, damping: number): Float64Array => {
    const slopes = shape.slopes(x);
    const ofPlaces = places.map(({ columns }) => slopes(columns));
    const solve = dampedSystem(ofPlaces, residuals, x, priors, damping, from);
    const largest = readings.map((own) => new Largest(own, residuals));
    for (let tries = 0; ; tries++) {
      const to = solve(largest.flatMap((reading) => reading.equations()));
      if (tries === TRIES) return to;
      const after = (place: number): number => {
        let left = residuals[place];
        for (let p = 0; p < x.length; p++) left -= ofPlaces[place][p] * (to[p] - x[p]);
        return left;
      };
      if (largest.filter((reading) => reading.change(after)).length === 0) return to;
    }
  };
  return (damping) => {
    let x = from;
    let residuals = residualsAt(x);
    let cost = costOf(x, residuals, damping);
    for (let steps = 0; steps < STEPS_MOST; steps++) {
      let to = linearStep(x, residuals, damping);
      let reached = residualsAt(to);
      let toCost = costOf(to, reached, damping);
      for (let halves = 0; toCost > cost && halves < HALVES; halves++) {
        to = to.map((value, i) => (value + x[i]) / 2);
        reached = residualsAt(to);
        toCost = costOf(to, reached, damping);
      }
      if (toCost >= cost) break;
      let far = 0;
      priors.forEach(({ sd }, i) => {
        far = Math.max(far, Math.abs(to[i] - x[i]) / sd);
      });
      [x, residuals, cost] = [to, reached, toCost];
      if (far < STILL) break;
    }
    return x;
  };
}

/**
 * The places of a reading of which the largest counts. If several places are equally large after a step, equations keep
 * them equal, and the next step lowers all of them (an active set; Nocedal and Wright 2006, Numerical Optimization,
 * chapter 16.5).
 */
class Largest {
  /** The places that are kept equal. The first is the leader. */
  private held: readonly number[];

  constructor(
    private readonly places: readonly number[],
    residuals: Float64Array,
  ) {
    const value = (place: number): number => residuals[place];
    this.held = [places.reduce((best, place) => (value(place) < value(best) ? place : best))];
  }

  /** The equation of the leader, and one for each place that is kept equal to the leader. */
  equations(): Equation[] {
    const [leader = 0, ...others] = this.held;
    return [{ row: leader }, ...others.map((row) => ({ row, less: leader, weight: HOLD }))];
  }

  /**
   * Adds a place that is larger than the leader after a step, or releases a place that no longer needs an equation.
   *
   * @param after residual of a place after the step
   * @returns whether the step must be made again
   */
  change(after: (place: number) => number): boolean {
    if (this.places.length === 1) return false;
    const [leader = 0, ...others] = this.held;
    const own = after(leader);
    // The force with which an equation holds a place. The leader has the rest of the force.
    const force = (place: number): number => HOLD * HOLD * (after(place) - own);
    const loose = others.find((place) => force(place) > 0);
    const rest = own - others.reduce((sum, place) => sum + force(place), 0);
    const ahead = this.places
      .filter((place) => !this.held.includes(place) && after(place) < own - EQUAL)
      .sort((a, b) => after(a) - after(b))
      .slice(0, 1);
    const kept =
      loose !== undefined
        ? this.held.filter((place) => place !== loose)
        : others.length > 0 && rest > 0
          ? others
          : this.held;
    if (kept === this.held && ahead.length === 0) return false;
    this.held = [...kept, ...ahead];
    return true;
  }
}

/** Mean, standard deviation and bounds of a parameter before a person is known. */
export interface Prior {
  readonly mean: number;
  readonly sd: number;
  readonly least: number;
  readonly most: number;
}

/** An equation of a system: a row, or the difference of two rows, times a weight. */
export interface Equation {
  readonly row: number;
  readonly less?: number;
  readonly weight?: number;
}

/**
 * Damped Gauss–Newton steps with a normal prior for each parameter. A step moves the parameters by the m that solves
 *
 *   (JᵀJ + (1 + λ) P) m = Jᵀ r + P (mean + λ from − (1 + λ) x),  P = diag(1 / sd²)
 *
 * There are fewer residuals than parameters, so the smaller system of the residuals is solved instead (Woodbury 1950):
 * with V = ((1 + λ) P)⁻¹ and d = (mean + λ from) ÷ (1 + λ) − x,
 *
 *   m = d + V Jᵀ (I + J V Jᵀ)⁻¹ (r − J d).
 *
 * A parameter that would leave its bounds stops at the bound, and the others compensate for it.
 *
 * @param rows J: derivatives of each reading by the parameters
 * @param residuals r: asked minus achieved
 * @param damping λ
 * @param from the parameters to which the damping pulls
 * @returns a function from the equations that a step solves (by default every row) to the parameters after the step
 */
export function dampedSystem(
  rows: readonly Float64Array[],
  residuals: ArrayLike<number>,
  x: Float64Array,
  priors: readonly Prior[],
  damping = 0,
  from = x,
): (equations?: readonly Equation[]) => Float64Array {
  const count = rows.length;
  const freeVariance = Float64Array.from(priors, ({ sd }) => (sd * sd) / (1 + damping));
  const freeBegin = Float64Array.from(
    priors,
    ({ mean }, i) => (mean + damping * from[i]) / (1 + damping) - x[i],
  );
  /** J V Jᵀ and r − J d. */
  const freeGram = new Float64Array(count * count);
  const freeLeft = new Float64Array(count);
  const scaled = new Float64Array(x.length);
  for (let i = 0; i < count; i++) {
    const row = rows[i];
    let rest = residuals[i];
    for (let p = 0; p < x.length; p++) {
      const slope = row[p];
      rest -= slope * freeBegin[p];
      scaled[p] = slope * freeVariance[p];
    }
    freeLeft[i] = rest;
    for (let j = 0; j <= i; j++) {
      const other = rows[j];
      let sum = 0;
      for (let p = 0; p < x.length; p++) sum += scaled[p] * other[p];
      freeGram[i * count + j] = sum;
      freeGram[j * count + i] = sum;
    }
  }
  return (equations = rows.map((_, row) => ({ row }))) => {
    const variance = freeVariance.slice();
    const begin = freeBegin.slice();
    const gram = freeGram.slice();
    const left = freeLeft.slice();
    for (;;) {
      const pulled = pulledBy(rows, sharesOf(equations, gram, left, count), x.length);
      const next = begin.map((by, p) => by + variance[p] * pulled[p]);
      let stopped = 0;
      for (let p = 0; p < x.length; p++) {
        const { least, most } = priors[p];
        const to = x[p] + next[p];
        if (variance[p] === 0 || (to >= least && to <= most)) continue;
        const bounded = clamp(to, least, most) - x[p];
        for (let i = 0; i < count; i++) {
          const slope = rows[i][p];
          if (slope === 0) continue;
          left[i] -= slope * (bounded - begin[p]);
          const scaled = slope * variance[p];
          for (let j = 0; j < count; j++) gram[i * count + j] -= scaled * rows[j][p];
        }
        variance[p] = 0;
        begin[p] = bounded;
        stopped += 1;
      }
      if (stopped === 0) return next.map((by, p) => x[p] + by);
    }
  };
}

/** Jᵀ times the shares of its rows. */
function pulledBy(rows: readonly Float64Array[], shares: Float64Array, n: number): Float64Array {
  const pulled = new Float64Array(n);
  rows.forEach((row, i) => {
    const share = shares[i];
    if (share === 0) return;
    for (let p = 0; p < n; p++) pulled[p] += share * row[p];
  });
  return pulled;
}

/** (I + J V Jᵀ)⁻¹ (r − J d) of some equations, by row. */
function sharesOf(
  equations: readonly Equation[],
  gram: Float64Array,
  left: Float64Array,
  all: number,
): Float64Array {
  const count = equations.length;
  const matrix = new Float64Array(count * count);
  const y = new Float64Array(count);
  equations.forEach(({ row, less, weight = 1 }, i) => {
    const rest = left[row] - (less === undefined ? 0 : left[less]);
    y[i] = weight * rest;
    for (let j = 0; j <= i; j++) {
      const other = equations[j];
      let sum = gram[row * all + other.row];
      if (less !== undefined) sum -= gram[less * all + other.row];
      if (other.less !== undefined) {
        sum -= gram[row * all + other.less];
        if (less !== undefined) sum += gram[less * all + other.less];
      }
      matrix[i * count + j] = weight * (other.weight ?? 1) * sum + (i === j ? 1 : 0);
    }
  });
  if (!factor(matrix, count)) throw new Error('The equations of a body are not definite.');
  substitute(matrix, count, y);
  const shares = new Float64Array(all);
  equations.forEach(({ row, less, weight = 1 }, i) => {
    const share = weight * y[i];
    shares[row] += share;
    if (less !== undefined) shares[less] -= share;
  });
  return shares;
}
