import { COUNTRY_CODES, type CountryCode } from '../core/countries.js';
import { GENDERS, type Gender } from '../core/genders.js';
import { AGE_LIMITS } from '../core/limits.js';
import { MEASUREMENTS, type Measurement } from '../core/measurements.js';
import { POSTURE_IDS } from '../core/profiles.js';
import { agesWithin } from '../core/years-of-age.js';
import {
  type CellKey,
  correlationIndex,
  curveValue,
  dimensionRow,
  emptyKey,
  peopleIndex,
} from '../lookup/cell.js';
import { evidenceOf, evidenceOfBody } from '../lookup/evidence.js';
import { MASS_QUANTITIES, type ManifestTerm, Z_COUNT, Z_MEDIAN } from '../lookup/format.js';
import type { ArtifactViews } from '../lookup/reader.js';
import { YearCells } from '../lookup/year-cells.js';

/** The people of one country, gender and age in one year. One cell describes their bodies. */
export interface Cohort {
  /** Index of the country on the axis of the artifact. */
  readonly country: number;
  /** Index in `GENDERS`. */
  readonly gender: number;
  readonly ageYears: number;
  readonly year: number;
}

/** Clothing and posture, by index on the axes of the artifact. Index 0 means nude and erect. */
export interface Profiles {
  readonly clothing: number;
  readonly posture: number;
}

export const NUDE: Profiles = { clothing: 0, posture: 0 };

/** A quantity that follows from others in every person. It is the sum of coefficient × value. */
interface Derived {
  readonly quantity: number;
  /** `of` is −1 for a constant length in mm at the reference stature. */
  readonly terms: readonly { readonly coefficient: number; readonly of: number }[];
}

/** Indices of the knots one standard deviation below and above the median. */
const [MINUS_ONE, PLUS_ONE] = [Z_MEDIAN - 3, Z_MEDIAN + 3];

/**
 * The quantities of complete people: the measurements in mm by their index, then BMI in kg/m² and body mass in kg. Free
 * quantities have distributions of their own. Derived quantities follow from them in every person.
 */
export class PeopleModel {
  readonly measurements: number;
  /** Names by index. */
  readonly names: readonly string[];
  /** Index of each quantity by name. */
  readonly indices: ReadonlyMap<string, number>;
  readonly bmi: number;
  readonly mass: number;
  readonly stature: number;
  /** Each derived quantity comes after those that it depends on. Body mass (BMI × stature²) is not in this list. */
  readonly derived: readonly Derived[];
  private readonly cells: YearCells;
  private readonly key: CellKey = emptyKey();

  constructor(readonly views: ArtifactViews) {
    const { axes, population } = views.manifest;
    this.measurements = axes.measurements.length;
    this.names = [...axes.measurements, ...MASS_QUANTITIES];
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

  /** Genders and postures in which a quantity is defined. BMI and body mass have all of them. */
  definitionOf(quantity: number): Pick<Measurement, 'genders' | 'postures'> {
    return MEASUREMENTS[quantity] ?? { genders: GENDERS, postures: POSTURE_IDS };
  }

  /** Head count of a country and gender (by index) at a completed age. */
  people(country: number, gender: number, ageYears: number): number {
    return this.views.population.people[peopleIndex(country, gender, ageYears)];
  }

  /** Whether a quantity has a model for a gender at an age. */
  has(quantity: number, gender: number, ageYears: number): boolean {
    if (quantity >= this.measurements) return true;
    const row = dimensionRow(quantity, gender);
    const { views } = this;
    return (
      views.block[row] >= 0 &&
      ageYears >= views.ageMinYears[row] &&
      ageYears <= views.ageMaxYears[row]
    );
  }

  /**
   * Fills `knots` (`Z_COUNT` quantiles) of a quantity in a cohort. Clothing and posture do not change BMI and body
   * mass.
   *
   * @returns whether there is a model
   */
  fill(quantity: number, cohort: Cohort, profiles: Profiles, knots: Float64Array): boolean {
    const { key, cells } = this;
    key.gender = cohort.gender;
    key.country = cohort.country;
    key.ageYears = cohort.ageYears;
    if (quantity >= this.measurements) {
      return cells.fillBody(quantity - this.measurements, key, cohort.year, knots) === 'ok';
    }
    key.measurement = quantity;
    key.clothing = profiles.clothing;
    key.posture = profiles.posture;
    return cells.fill(key, cohort.year, knots) === 'ok';
  }

  /**
   * Standard error of ln of the median of a quantity in a cohort of the reference year.
   *
   * @throws Error if the artifact has no evidence of it
   */
  lnMedianSd(quantity: number, { country, gender, ageYears }: Cohort): number {
    const key = { ...emptyKey(), country, gender, ageYears, measurement: quantity };
    const found =
      quantity < this.measurements
        ? evidenceOf(this.views, key)
        : evidenceOfBody(this.views, quantity - this.measurements, key);
    if (found === undefined)
      throw new Error(`no evidence of ${quantity} for ${JSON.stringify(key)}`);
    return found.lnMedianSd;
  }

  /**
   * Correlation of the normal scores of two quantities at an age. It is linear between the matrices of the artifact,
   * and constant beyond them.
   */
  rho(gender: number, ageYears: number, a: number, b: number): number {
    if (a === b) return 1;
    const ages = this.views.manifest.axes.correlationAgesYears;
    let group = 0;
    while (group + 1 < ages.length && ages[group + 1] <= ageYears) group++;
    const from = this.rhoOf(group, gender, a, b);
    if (group + 1 >= ages.length || ageYears <= ages[group]) return from;
    const span = ages[group + 1] - ages[group];
    const share = (ageYears - ages[group]) / span;
    return from + share * (this.rhoOf(group + 1, gender, a, b) - from);
  }

  private rhoOf(group: number, gender: number, a: number, b: number): number {
    const { views, measurements, bmi, mass } = this;
    const { population } = views;
    const row = (group * GENDERS.length + gender) * measurements;
    if (a < measurements && b < measurements) {
      return views.rho[correlationIndex(measurements, group, gender, a, b)];
    }
    if (a >= measurements && b >= measurements) {
      return views.manifest.population.rhoBmiMass[group * GENDERS.length + gender];
    }
    const [length, body] = a < measurements ? [a, b] : [b, a];
    if (body === bmi) return population.rhoBmi[row + length];
    if (body === mass) return population.rhoMass[row + length];
    throw new Error(`no quantity ${body}`);
  }
}

/** The quantile curves of one cohort at a time. Each is read when it is first asked for. */
export class CohortCurves {
  private readonly knots: Float64Array;
  private readonly filled: Uint8Array;
  private readonly views: Float64Array[];
  private cohort: Cohort | undefined;

  constructor(
    private readonly peopleModel: PeopleModel,
    private readonly profiles: Profiles = NUDE,
  ) {
    const size = peopleModel.names.length;
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

  /** Quantiles of a quantity, or undefined if it has no model. The memory is reused. */
  of(quantity: number): Float64Array | undefined {
    const state = this.filled[quantity];
    const knots = this.views[quantity];
    if (state !== 0) return state === 1 ? knots : undefined;
    const found =
      this.cohort !== undefined &&
      this.peopleModel.fill(quantity, this.cohort, this.profiles, knots);
    this.filled[quantity] = found ? 1 : 2;
    return found ? knots : undefined;
  }

  /** Value of a quantity at a normal score; NaN if the quantity has no model. */
  value(quantity: number, z: number): number {
    const knots = this.of(quantity);
    return knots === undefined ? Number.NaN : curveValue(knots, z);
  }

  /** Median of a quantity, and half the distance between the quantiles one standard deviation below and above it. */
  middle(quantity: number): { median: number; sd: number } {
    const knots = this.of(quantity);
    if (knots === undefined) return { median: Number.NaN, sd: Number.NaN };
    const sd = (knots[PLUS_ONE] - knots[MINUS_ONE]) / 2;
    return { median: knots[Z_MEDIAN], sd };
  }
}

/** A value of a person in clothing and posture. It keeps its percentile among the people of the cohort. */
export function valueInProfiles(
  nude: CohortCurves,
  dressed: CohortCurves,
  quantity: number,
  value: number,
): number {
  const [from, to] = [nude.middle(quantity), dressed.middle(quantity)];
  const widening = from.sd > 0 ? to.sd / from.sd : 1;
  return to.median + widening * (value - from.median);
}

/** A group of a population, with its countries resolved. */
export interface MarketGroup {
  readonly countries: readonly CountryCode[];
  /** Both where absent. */
  readonly gender?: Gender | undefined;
  /** Completed years, both included. */
  readonly ageMin: number;
  readonly ageMax: number;
  /** Share of the group in the population, 0 to 1. Without it, the head count gives the share. */
  readonly share?: number | undefined;
}

/** Cohorts and their weights. */
export interface WeightedCohorts {
  /** Cohorts, all different. */
  readonly cohorts: readonly Cohort[];
  /** The sum is 1. */
  readonly weights: Float64Array;
}

/** The people in a group of a population. */
export interface MarketPart {
  /** Index in `Market.cohorts`. */
  readonly cohorts: Int32Array;
  /** Head count of each of them. The head count of a year of age is divided among its exact ages. */
  readonly counts: Float64Array;
  /** Head count of the group. */
  readonly people: number;
}

/** A resolved group of a population. Identical groups have the same part. */
export interface ResolvedGroup {
  readonly part: MarketPart;
  /** Share of the population, 0 to 1. */
  readonly share: number;
}

/** A population as weighted cohorts. The weight of a cohort is the sum over all groups. */
export interface Market extends WeightedCohorts {
  readonly groups: readonly ResolvedGroup[];
  readonly people: number;
}

/** Head count of a country (index), gender (index) and completed age in the year of the counts. */
export type HeadCount = (country: number, gender: number, ageYears: number) => number;

const COUNTRY_INDICES = new Map(COUNTRY_CODES.map((code, index) => [code, index]));
const AGES = AGE_LIMITS.maximum + 1;

/**
 * Resolves groups to weighted cohorts. Within a group, cohorts are weighted by head count. People of a completed age
 * are looked up at the exact ages of `agesWithin`. Identical groups are resolved once.
 *
 * @param year year of the bodies
 * @returns undefined if a group has no people
 */
export function resolveMarket(
  groups: readonly MarketGroup[],
  year: number,
  headCount: HeadCount,
): Market | undefined {
  const cohorts: Cohort[] = [];
  /** Index of the first cohort of a year of age plus one, or 0 if the year is in no group yet. */
  const known = new Int32Array(COUNTRY_CODES.length * GENDERS.length * AGES);
  const firstCohortOf = (country: number, gender: number, age: number): number => {
    const at = (country * GENDERS.length + gender) * AGES + age;
    if (known[at] === 0) {
      known[at] = cohorts.length + 1;
      for (const within of agesWithin(age)) {
        const ageYears = Math.min(within.ageYears, AGE_LIMITS.maximum);
        cohorts.push({ country, gender, ageYears, year });
      }
    }
    return known[at] - 1;
  };
  const resolved = new Map<string, MarketPart>();
  const parts = groups.map(({ countries, gender, ageMin, ageMax }): MarketPart => {
    const codes = new Set(countries);
    const indices = Int32Array.from(codes, (code) => COUNTRY_INDICES.get(code) as number);
    const key = [indices.slice().sort().join(), gender, ageMin, ageMax].join('|');
    const same = resolved.get(key);
    if (same !== undefined) return same;
    const genders = gender === undefined ? [0, 1] : [GENDERS.indexOf(gender)];
    let ages = 0;
    for (let age = ageMin; age <= ageMax; age++) ages += agesWithin(age).length;
    const most = indices.length * genders.length * ages;
    const [members, counts] = [new Int32Array(most), new Float64Array(most)];
    let [length, people] = [0, 0];
    for (const country of indices) {
      for (const one of genders) {
        for (let age = ageMin; age <= ageMax; age++) {
          const count = headCount(country, one, age);
          if (!(count > 0)) continue;
          let cohort = firstCohortOf(country, one, age);
          for (const { share } of agesWithin(age)) {
            members[length] = cohort++;
            counts[length++] = count * share;
          }
          people += count;
        }
      }
    }
    const part = {
      cohorts: members.subarray(0, length),
      counts: counts.subarray(0, length),
      people,
    };
    resolved.set(key, part);
    return part;
  });
  const people = parts.reduce((sum, part) => sum + part.people, 0);
  if (people === 0 || parts.some((part) => part.people === 0)) return undefined;
  const given = groups.reduce((sum, { share = 0 }) => sum + share, 0);
  /** Share of each part in the population, summed over all groups with this part. */
  const shares = new Map<MarketPart, number>();
  const shown = parts.map((part, g): ResolvedGroup => {
    const asked = groups[g].share;
    const share = asked === undefined ? part.people / people : asked / given;
    shares.set(part, (shares.get(part) ?? 0) + share);
    return { part, share };
  });
  const weights = new Float64Array(cohorts.length);
  for (const [part, share] of shares) {
    const each = share / part.people;
    for (let i = 0; i < part.cohorts.length; i++) {
      const cohort = part.cohorts[i];
      weights[cohort] += each * part.counts[i];
    }
  }
  return { cohorts, weights, groups: shown, people };
}

/** Sums a number that each cohort has over the people of a part. */
export function sumOver({ cohorts, counts }: MarketPart, byCohort: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < cohorts.length; i++) {
    sum += counts[i] * byCohort[cohorts[i]];
  }
  return sum;
}

/** If a population has more cohorts than this, a search uses a sample of them. */
const MANY_COHORTS = 2000;

/**
 * Returns a sample if there are very many cohorts: the cohorts at equal steps of the cumulative weight (systematic
 * sampling; Cochran 1977, Sampling Techniques, chapter 8). Each represents the same share of the people.
 *
 * @returns indices of the cohorts; undefined if they are not very many
 */
export function sampleCohorts({ weights }: WeightedCohorts): number[] | undefined {
  if (weights.length <= MANY_COHORTS) return undefined;
  const sampled: number[] = [];
  let reached = 0;
  weights.forEach((weight, c) => {
    reached += weight;
    while (sampled.length < MANY_COHORTS && (sampled.length + 0.5) / MANY_COHORTS <= reached) {
      sampled.push(c);
    }
  });
  return sampled;
}
