import { DampedSystem, type Equation, type Prior } from './damped-step.js';
import { PARAMETER, type PersonShape } from './shape.js';

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

/** A model of the readings while only the shape changes. The pose and the measured points stay the same. */
export class LocalModel {
  /** Amounts of the columns, including the scale, at the parameters at which the readings were taken. */
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

  /** Returns the parameters that minimize the damped cost of the model. */
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

  /** Residual of each place at some parameters. */
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
