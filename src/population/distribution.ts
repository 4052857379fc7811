import { type Cohort, type Dress, dressedValue } from './bodies.js';
import type { JointBodies } from './joint.js';
import { type Limit, mixtureOf } from './limits.js';
import type { Market } from './market.js';
import { PeopleSource } from './people.js';

/** The distribution of one quantity among people. */
export interface Distribution {
  /** Value below which a percentile (0 to 100, both excluded) of the people lie. */
  value(percentile: number): number;
  /** Share of the people up to a value, 0 to 1. */
  share(value: number): number;
  moments(): { mean: number; sd: number };
  /** Half width of the 95 % interval of a percentile's value; 0 for an exact one. */
  error(percentile: number): number;
}

/** People of a sample. */
const PEOPLE = 20_000;
const SEED = 1;
/** 97.5th percentile of the standard normal distribution. */
const Z_975 = 1.959964;

/**
 * The distributions of a population. Without conditions they are exact mixtures; with conditions they
 * come from 20,000 sampled people, who are drawn once for all quantities.
 */
export class Distributions {
  private sample: Sample | undefined;

  /** @param keep conditions on nude and erect people */
  constructor(
    private readonly joint: JointBodies,
    private readonly market: Market,
    private readonly keep: readonly Limit[],
  ) {}

  /**
   * The distribution of a quantity.
   *
   * @throws Error for a quantity without a model in a cohort
   */
  of(quantity: number, dress: Dress): Distribution {
    const { bodies } = this.joint;
    if (this.keep.length === 0) return mixtureOf(bodies, this.market, quantity, dress);
    this.sample ??= this.draw();
    return new SampleDistribution(this.dressed(this.sample, quantity, dress));
  }

  /** Nude and erect people who meet the conditions. */
  private draw(): Sample {
    const { joint, market, keep } = this;
    const values = joint.bodies.names.map(() => new Float64Array(PEOPLE));
    const cohorts: Cohort[] = [];
    const source = new PeopleSource(joint, market, keep, SEED);
    for (let i = 0; i < PEOPLE; i++) {
      const person = source.person(i);
      cohorts.push(person.cohort);
      values.forEach((column, quantity) => {
        column[i] = person.values[quantity] as number;
      });
    }
    return { cohorts, values };
  }

  /** Values of a quantity of the sampled people in clothing and posture. */
  private dressed({ cohorts, values }: Sample, quantity: number, dress: Dress): Float64Array {
    const column = values[quantity] as Float64Array;
    if (dress.clothing === 0 && dress.posture === 0) return column;
    const [from, to] = [this.joint.curves(), this.joint.curves(dress)];
    return column.map((value, i) => {
      from.at(cohorts[i] as Cohort);
      to.at(cohorts[i] as Cohort);
      return dressedValue(from, to, quantity, value);
    });
  }
}

/** Sampled people: their cohorts, and their values by quantity. */
interface Sample {
  readonly cohorts: readonly Cohort[];
  readonly values: readonly Float64Array[];
}

/** The distribution of sampled values. */
class SampleDistribution implements Distribution {
  private readonly sorted: Float64Array;

  constructor(values: Float64Array) {
    this.sorted = values.slice().sort();
  }

  value(percentile: number): number {
    const { sorted } = this;
    const place = Math.min(
      sorted.length - 1,
      Math.max(0, (percentile / 100) * sorted.length - 0.5),
    );
    const below = sorted[Math.floor(place)] as number;
    return below + (place % 1) * ((sorted[Math.ceil(place)] as number) - below);
  }

  share(value: number): number {
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.sorted[middle] as number) <= value) low = middle + 1;
      else high = middle;
    }
    return low / this.sorted.length;
  }

  moments(): { mean: number; sd: number } {
    const n = this.sorted.length;
    const mean = this.sorted.reduce((sum, value) => sum + value, 0) / n;
    const square = this.sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
    return { mean, sd: Math.sqrt(square) };
  }

  /** Order statistics: the values at the percentile ± its sampling error (David 1981, 2.5). */
  error(percentile: number): number {
    const p = percentile / 100;
    const reach = 100 * Z_975 * Math.sqrt((p * (1 - p)) / this.sorted.length);
    const least = 50 / this.sorted.length;
    const from = Math.max(least, percentile - reach);
    const to = Math.min(100 - least, percentile + reach);
    return (this.value(to) - this.value(from)) / 2;
  }
}
