import { DampedSystem, type Equation, type Prior } from './damped-step.js';
import { PARAMETER, type PersonShape } from './shape.js';

/** A reading as a linear function of the points, over its standard deviation. */
export interface Place {
  /** Gradient × columns of the shape. */
  readonly columns: Float64Array;
  /** Asked less achieved at the present parameters. */
  readonly residual: number;
}

/** The places that give a reading. The largest counts: the largest reading leaves the least of what is asked. */
export type Row = readonly Place[];

/** Steps inside the model; they end when no parameter moves by more than a share of its standard deviation. */
const STEPS_MOST = 6;
const STILL = 0.03;
/** How often a step is halved while it makes the model worse. */
const HALVES = 6;
/** Tries to find the places that are largest together, and how equal they are, standard deviations. */
const TRIES = 8;
const EQUAL = 0.05;
/** Weight of an equation that holds two places equal. */
const HOLD = 30;

/** Readings as they are while only the shape changes: the pose and the points that are measured stay. */
export class LocalModel {
  /** Amounts of the columns at the parameters where the readings were taken, with the scale. */
  private readonly begin: Float64Array;
  private readonly places: readonly Place[];
  /** The numbers of the places of each reading. */
  private readonly readings: readonly (readonly number[])[];

  /**
   * @param from the parameters at which the readings were taken
   */
  constructor(
    private readonly shape: PersonShape,
    private readonly priors: readonly Prior[],
    private readonly from: Float64Array,
    rows: readonly Row[],
  ) {
    this.begin = this.scaled(from);
    this.places = rows.flat();
    let next = 0;
    this.readings = rows.map((row) => row.map(() => next++));
  }

  /** The parameters at which the damped cost of the model is least. */
  step(damping: number): Float64Array {
    let x = this.from;
    let residuals = this.residuals(x);
    let cost = this.cost(x, residuals, damping);
    for (let steps = 0; steps < STEPS_MOST; steps++) {
      let next = this.linearStep(x, residuals, damping);
      let reached = this.residuals(next);
      let nextCost = this.cost(next, reached, damping);
      for (let halves = 0; nextCost > cost && halves < HALVES; halves++) {
        next = next.map((value, i) => (value + x[i]) / 2);
        reached = this.residuals(next);
        nextCost = this.cost(next, reached, damping);
      }
      if (nextCost >= cost) break;
      let far = 0;
      this.priors.forEach(({ sd }, i) => {
        far = Math.max(far, Math.abs(next[i] - x[i]) / sd);
      });
      [x, residuals, cost] = [next, reached, nextCost];
      if (far < STILL) break;
    }
    return x;
  }

  private scaled(x: Float64Array): Float64Array {
    const amounts = this.shape.amounts(x);
    const scale = 1 + x[PARAMETER.scale];
    for (let k = 0; k < amounts.length; k++) amounts[k] = scale * amounts[k];
    return amounts;
  }

  /** What each place leaves of what is asked, at some parameters. */
  private residuals(x: Float64Array): Float64Array {
    const more = this.scaled(x);
    for (let k = 0; k < more.length; k++) more[k] -= this.begin[k];
    return Float64Array.from(this.places, ({ columns, residual }) => {
      let left = residual;
      for (let k = 0; k < columns.length; k++) {
        left -= columns[k] * more[k];
      }
      return left;
    });
  }

  private cost(x: Float64Array, residuals: Float64Array, damping: number): number {
    let cost = 0;
    for (const places of this.readings) {
      let least = Infinity;
      for (const place of places) least = Math.min(least, residuals[place]);
      cost += least * least;
    }
    this.priors.forEach(({ mean, sd }, i) => {
      const own = x[i];
      cost += ((own - mean) / sd) ** 2 + damping * ((own - this.from[i]) / sd) ** 2;
    });
    return cost;
  }

  /** A step with the slopes at some parameters. */
  private linearStep(x: Float64Array, residuals: Float64Array, damping: number): Float64Array {
    const slopes = this.shape.slopes(x);
    const rows = this.places.map(({ columns }) => slopes(columns));
    const system = new DampedSystem(rows, residuals, x, this.priors, damping, this.from);
    const readings = this.readings.map((places) => new Largest(places, residuals));
    for (let tries = 0; ; tries++) {
      const to = system.solve(readings.flatMap((reading) => reading.equations()));
      if (tries === TRIES) return to;
      const after = (place: number): number => {
        const row = rows[place];
        let left = residuals[place];
        for (let p = 0; p < x.length; p++) {
          left -= row[p] * (to[p] - x[p]);
        }
        return left;
      };
      const changed = readings.filter((reading) => reading.change(after));
      if (changed.length === 0) return to;
    }
  }
}

/**
 * The places of a reading of which the largest counts. Where several are equally large after a step, equations hold
 * them equal, and the step lowers all of them (an active set; Nocedal and Wright 2006, Numerical Optimization,
 * chapter 16.5).
 */
class Largest {
  /** The places that are held equal; the first one leads. */
  private held: readonly number[];

  constructor(
    private readonly places: readonly number[],
    residuals: Float64Array,
  ) {
    const value = (place: number): number => residuals[place];
    this.held = [places.reduce((best, place) => (value(place) < value(best) ? place : best))];
  }

  /** The equation of the leader, and one for each place that is held equal to it. */
  equations(): Equation[] {
    const [leader = 0, ...others] = this.held;
    return [{ row: leader }, ...others.map((row) => ({ row, less: leader, weight: HOLD }))];
  }

  /**
   * Holds the place that is larger than the leader after a step, and lets go of one that need not be held.
   *
   * @param after what a place leaves after the step
   * @returns whether the step must be made again
   */
  change(after: (place: number) => number): boolean {
    if (this.places.length === 1) return false;
    const [leader = 0, ...others] = this.held;
    const own = after(leader);
    // The force with which an equation holds a place; the leader has the rest of the force.
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
