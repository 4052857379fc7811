import { GENDERS } from '../core/genders.js';
import { MEASUREMENTS, type Measurement } from '../core/measurements.js';
import { POSTURE_IDS } from '../core/profiles.js';
import { type CellKey, YearCells } from '../lookup/cell.js';
import {
  BODY_NAMES,
  correlationIndex,
  dimensionRow,
  type ManifestTerm,
  peopleIndex,
  Z_COUNT,
  Z_MEDIAN,
} from '../lookup/format.js';
import { curveValue } from '../lookup/quantile-curve.js';
import type { ArtifactViews } from '../lookup/reader.js';

/** A country, gender and age in one year: the people whose bodies one cell describes. */
export interface Cohort {
  /** Index of the country on the axis of the artifact. */
  readonly country: number;
  /** Index in `GENDERS`. */
  readonly gender: number;
  readonly ageYears: number;
  readonly year: number;
}

/** Clothing and posture, by index on the axes of the artifact; 0 and 0 are nude and erect. */
export interface Dress {
  readonly clothing: number;
  readonly posture: number;
}

export const NUDE: Dress = { clothing: 0, posture: 0 };

/** A quantity that follows from others in every person: the sum of coefficient × value. */
interface Derived {
  readonly quantity: number;
  /** `of` is −1 for a length in mm at the reference stature. */
  readonly terms: readonly { readonly coefficient: number; readonly of: number }[];
}

/** Index of the knots one standard deviation below and above the median. */
const [MINUS_ONE, PLUS_ONE] = [Z_MEDIAN - 3, Z_MEDIAN + 3];

/**
 * The quantities of whole people: the measurements in mm by their index, then BMI in kg/m² and body mass
 * in kg. Free quantities have a distribution of their own; derived ones follow from them in every person.
 */
export class Bodies {
  readonly measurements: number;
  /** Names by index. */
  readonly names: readonly string[];
  /** Index of each quantity by name. */
  readonly indices: ReadonlyMap<string, number>;
  readonly bmi: number;
  readonly mass: number;
  readonly stature: number;
  /** Each after those it depends on; body mass, which is BMI × stature², is not among them. */
  readonly derived: readonly Derived[];
  private readonly cells: YearCells;
  private readonly key: CellKey = {
    measurement: 0,
    gender: 0,
    country: 0,
    ageYears: 0,
    clothing: 0,
    posture: 0,
  };

  constructor(readonly views: ArtifactViews) {
    const { axes, population } = views.manifest;
    this.measurements = axes.measurements.length;
    this.names = [...axes.measurements, ...BODY_NAMES];
    this.indices = new Map(this.names.map((name, index) => [name, index]));
    this.bmi = this.indexOf('BMI');
    this.mass = this.indexOf('BodyMass');
    this.stature = this.indexOf('Stature');
    this.derived = population.derived.map(({ measurement, terms }) => ({
      quantity: this.indexOf(measurement),
      terms: terms.map(({ coefficient, of }: ManifestTerm) => ({
        coefficient,
        of: of === undefined ? -1 : this.indexOf(of),
      })),
    }));
    this.cells = new YearCells(views);
  }

  /**
   * Index of a measurement, `BMI` or `BodyMass`.
   *
   * @throws Error for another name
   */
  indexOf(name: string): number {
    const index = this.indices.get(name);
    if (index === undefined) throw new Error(`${name} is not a quantity of a body`);
    return index;
  }

  /** Genders and postures in which a quantity is defined: all of them for BMI and body mass. */
  definitionOf(quantity: number): Pick<Measurement, 'genders' | 'postures'> {
    return MEASUREMENTS[quantity] ?? { genders: GENDERS, postures: POSTURE_IDS };
  }

  /** Head count of a country and gender (by index) at a completed age. */
  people(country: number, gender: number, ageYears: number): number {
    return this.views.population.people[peopleIndex(country, gender, ageYears)] ?? 0;
  }

  /** Whether a quantity has a model for a gender at an age. */
  has(quantity: number, gender: number, ageYears: number): boolean {
    if (quantity >= this.measurements) return true;
    const row = dimensionRow(quantity, gender);
    const { views } = this;
    return (
      (views.block[row] as number) >= 0 &&
      ageYears >= (views.ageMinYears[row] as number) &&
      ageYears <= (views.ageMaxYears[row] as number)
    );
  }

  /**
   * Fills `knots` (`Z_COUNT` quantiles) of a quantity in a cohort; clothing and posture do not change BMI
   * and body mass.
   *
   * @returns whether there is a model
   */
  fill(quantity: number, cohort: Cohort, dress: Dress, knots: Float64Array): boolean {
    const { key, cells } = this;
    key.gender = cohort.gender;
    key.country = cohort.country;
    key.ageYears = cohort.ageYears;
    if (quantity >= this.measurements) {
      return cells.fillBody(quantity - this.measurements, key, cohort.year, knots) === 'ok';
    }
    key.measurement = quantity;
    key.clothing = dress.clothing;
    key.posture = dress.posture;
    return cells.fill(key, cohort.year, knots) === 'ok';
  }

  /**
   * Correlation of the normal scores of two quantities at an age: linear between the matrices of the
   * artifact, constant beyond them.
   */
  rho(gender: number, ageYears: number, a: number, b: number): number {
    if (a === b) return 1;
    const ages = this.views.manifest.axes.correlationAgesYears;
    let group = 0;
    while (group + 1 < ages.length && (ages[group + 1] as number) <= ageYears) group++;
    const from = this.rhoOf(group, gender, a, b);
    if (group + 1 >= ages.length || ageYears <= (ages[group] as number)) return from;
    const span = (ages[group + 1] as number) - (ages[group] as number);
    const share = (ageYears - (ages[group] as number)) / span;
    return from + share * (this.rhoOf(group + 1, gender, a, b) - from);
  }

  private rhoOf(group: number, gender: number, a: number, b: number): number {
    const { views, measurements, bmi, mass } = this;
    const { population } = views;
    const row = (group * GENDERS.length + gender) * measurements;
    if (a < measurements && b < measurements) {
      return views.rho[correlationIndex(measurements, group, gender, a, b)] as number;
    }
    if (a >= measurements && b >= measurements) {
      return views.manifest.population.rhoBmiMass[group * GENDERS.length + gender] as number;
    }
    const [length, body] = a < measurements ? [a, b] : [b, a];
    if (body === bmi) return population.rhoBmi[row + length] as number;
    if (body === mass) return population.rhoMass[row + length] as number;
    throw new Error(`no quantity ${body}`);
  }
}

/** The quantile curves of one cohort at a time; each is read when it is first asked for. */
export class CohortCurves {
  private readonly knots: Float64Array;
  private readonly filled: Uint8Array;
  private readonly views: Float64Array[];
  private cohort: Cohort | undefined;

  constructor(
    private readonly bodies: Bodies,
    private readonly dress: Dress = NUDE,
  ) {
    const size = bodies.names.length;
    this.knots = new Float64Array(size * Z_COUNT);
    this.filled = new Uint8Array(size);
    this.views = Array.from({ length: size }, (_, i) =>
      this.knots.subarray(i * Z_COUNT, (i + 1) * Z_COUNT),
    );
  }

  /** Turns to another cohort. */
  at(cohort: Cohort): void {
    if (cohort === this.cohort) return;
    this.cohort = cohort;
    this.filled.fill(0);
  }

  /** Quantiles of a quantity, or undefined where it has no model. The memory is reused. */
  of(quantity: number): Float64Array | undefined {
    const state = this.filled[quantity] as number;
    const knots = this.views[quantity] as Float64Array;
    if (state !== 0) return state === 1 ? knots : undefined;
    const found =
      this.cohort !== undefined && this.bodies.fill(quantity, this.cohort, this.dress, knots);
    this.filled[quantity] = found ? 1 : 2;
    return found ? knots : undefined;
  }

  /** Value of a quantity at a normal score; NaN where it has no model. */
  value(quantity: number, z: number): number {
    const knots = this.of(quantity);
    return knots === undefined ? Number.NaN : curveValue(knots, z);
  }

  /** Median of a quantity, and half the distance of the quantiles one standard deviation on both sides. */
  middle(quantity: number): { median: number; sd: number } {
    const knots = this.of(quantity);
    if (knots === undefined) return { median: Number.NaN, sd: Number.NaN };
    const sd = ((knots[PLUS_ONE] as number) - (knots[MINUS_ONE] as number)) / 2;
    return { median: knots[Z_MEDIAN] as number, sd };
  }
}

/** A value of a person in clothing and posture: it keeps its place among the people of the cohort. */
export function dressedValue(
  nude: CohortCurves,
  dressed: CohortCurves,
  quantity: number,
  value: number,
): number {
  const [from, to] = [nude.middle(quantity), dressed.middle(quantity)];
  const widening = from.sd > 0 ? to.sd / from.sd : 1;
  return to.median + widening * (value - from.median);
}
