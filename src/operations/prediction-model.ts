import { BodyBuilder } from '../body/body.js';
import { Problem } from '../core/errors.js';
import { GENDERS, type Gender } from '../core/genders.js';
import { MEASUREMENTS } from '../core/measurements.js';
import {
  CLOTHING_AGE_MIN,
  CLOTHING_IDS,
  type ClothingId,
  POSTURE_IDS,
  type PostureId,
  tooYoungText,
} from '../core/profiles.js';
import type { Unit } from '../core/units.js';
import {
  CellFinder,
  type CellKey,
  curveValue,
  dimensionRow,
  emptyKey,
  zOfPercentile,
} from '../lookup/cell.js';
import { type ConditionalDistribution, conditionOn, correlation } from '../lookup/condition.js';
import { type CellEvidence, evidenceOf, evidenceOfBody } from '../lookup/evidence.js';
import { MASS_QUANTITIES, type Manifest, type MassQuantity, Z_COUNT } from '../lookup/format.js';
import type { ArtifactViews } from '../lookup/reader.js';
import { JointPeople } from '../population/joint.js';
import { PeopleModel } from '../population/people-model.js';
import { DEFAULTS } from './fields.js';

/** One dimension of the people of one gender, country and age, with their clothing, posture and unit. */
export interface Cell {
  readonly measurement: string;
  readonly gender: Gender;
  readonly country: string;
  readonly clothing: ClothingId;
  readonly posture: PostureId;
  readonly age: number;
  readonly unit: Unit;
}

/** A cell without its dimension. */
type Person = Pick<Cell, 'gender' | 'country' | 'age'>;

/** A cell in a request. Fields with a default may be left out. */
type Named = Pick<Cell, 'measurement' | 'gender' | 'age'> & Partial<Cell>;

/** The cell of a request, with the defaults of omitted fields. */
export function cellOf(input: Named): Cell {
  return {
    measurement: input.measurement,
    gender: input.gender,
    country: input.country ?? DEFAULTS.country,
    clothing: input.clothing ?? DEFAULTS.clothing,
    posture: input.posture ?? DEFAULTS.posture,
    age: input.age,
    unit: input.unit ?? DEFAULTS.unit,
  };
}

/**
 * Access to the artifact by names. It turns a validated request into a quantile curve or a refusal. Every call reuses
 * the memory of the curve, so use a curve before you ask for the next one. Requests are answered synchronously and
 * cannot disturb each other.
 */
export class PredictionModel {
  private readonly finder: CellFinder;
  private joint: JointPeople | undefined;
  private builder: BodyBuilder | undefined;
  /** Index of each name on the axes of the artifact. */
  private readonly measurements: ReadonlyMap<string, number>;
  private readonly countries: ReadonlyMap<string, number>;
  private readonly knots = new Float64Array(Z_COUNT);
  private readonly key: CellKey = emptyKey();

  constructor(views: ArtifactViews) {
    this.finder = new CellFinder(views);
    const { axes } = views.manifest;
    this.measurements = new Map(axes.measurements.map((name, index) => [name, index]));
    this.countries = new Map(axes.countries.map((code, index) => [code, index]));
  }

  /** The model of complete people; computed at the first call. */
  people(): JointPeople {
    this.joint ??= new JointPeople(new PeopleModel(this.finder.views));
    return this.joint;
  }

  /**
   * Builds bodies in three dimensions.
   *
   * @throws Problem `model_not_found` if the artifact has no mesh
   */
  bodies(): BodyBuilder {
    const { shape } = this.finder.views;
    if (shape === undefined) {
      const message = `The artifact ${this.artifactVersion} was built without the source makehuman, the mesh of bodies, so there are no bodies in three dimensions.`;
      throw new Problem('model_not_found', message);
    }
    this.builder ??= new BodyBuilder(shape);
    return this.builder;
  }

  /** Whether the artifact has the mesh of bodies. */
  get hasBodies(): boolean {
    return this.finder.views.shape !== undefined;
  }

  /** Manifest of the artifact in use. */
  get manifest(): Manifest {
    return this.finder.views.manifest;
  }

  /** Version of the artifact in use. */
  get artifactVersion(): string {
    return this.finder.views.manifest.artifactVersion;
  }

  /**
   * Quantile curve of a cell, `Z_COUNT` knots in mm.
   *
   * @throws Problem `gender_not_supported`, `model_not_found`
   */
  curve(cell: Cell): Float64Array {
    const { key, knots } = this;
    key.measurement = this.measurements.get(cell.measurement) ?? -1;
    key.gender = GENDERS.indexOf(cell.gender);
    key.country = this.countries.get(cell.country) ?? -1;
    key.ageYears = cell.age;
    key.clothing = CLOTHING_IDS.indexOf(cell.clothing);
    key.posture = POSTURE_IDS.indexOf(cell.posture);
    const measurement = MEASUREMENTS[key.measurement];
    if (measurement === undefined || key.country < 0 || key.clothing < 0 || key.posture < 0) {
      throw new Error('a name outside the catalog passed the validation');
    }
    if (!measurement.genders.includes(cell.gender)) {
      const message = `${cell.measurement} has no model for ${cell.gender}; it is defined for ${measurement.genders.join(' and ')} only.`;
      throw new Problem('gender_not_supported', message);
    }
    if (!measurement.postures.includes(cell.posture)) {
      const message = `${cell.measurement} has no model for posture ${cell.posture}; use ${measurement.postures.join(' or ')}.`;
      throw new Problem('model_not_found', message);
    }
    if (cell.age < CLOTHING_AGE_MIN[cell.clothing]) {
      throw new Problem('model_not_found', tooYoungText(cell.clothing));
    }
    const status = this.finder.fill(key, knots);
    if (status === 'ok') return knots;
    throw new Problem('model_not_found', this.missing(cell, status));
  }

  /**
   * The distribution of a linked dimension in a cell, given an anchor at a percentile.
   *
   * @throws Problem `gender_not_supported`, `model_not_found` for either dimension
   */
  condition(anchor: Cell, anchorPercentile: number, linked: Cell): ConditionalDistribution {
    this.curve(anchor);
    const anchorIndex = this.key.measurement;
    const knots = this.curve(linked);
    const { measurement, gender } = this.key;
    const rho = correlation(this.finder.views, anchorIndex, measurement, gender, linked.age);
    return conditionOn(knots, rho, zOfPercentile(anchorPercentile));
  }

  /** Quantile curve of BMI (kg/m²) or body mass (kg) of nude people, `Z_COUNT` knots. */
  bodyCurve(name: MassQuantity, { gender, country, age }: Person): Float64Array {
    const { key, knots, finder } = this;
    const { population } = finder.views;
    this.setPerson(gender, country, age);
    const block = MASS_QUANTITIES.indexOf(name) * GENDERS.length + key.gender;
    finder.blend(population.bodyQuantiles, block, key, knots);
    return knots;
  }

  /** BMI (kg/m²) or body mass (kg) of nude people at percentiles. */
  bodyValues(name: MassQuantity, person: Person, percentiles: readonly number[]): number[] {
    const knots = this.bodyCurve(name, person);
    return percentiles.map((percentile) => curveValue(knots, zOfPercentile(percentile)));
  }

  /**
   * Returns how well the median of a dimension, of BMI or of body mass is known.
   *
   * @throws Problem `model_not_found` for a dimension without a model
   */
  evidence(name: string, { gender, country, age }: Person): CellEvidence {
    const { key, finder } = this;
    const { views } = finder;
    this.setPerson(gender, country, age);
    key.measurement = this.measurements.get(name) ?? -1;
    const body = (MASS_QUANTITIES as readonly string[]).indexOf(name);
    const found = body < 0 ? evidenceOf(views, key) : evidenceOfBody(views, body, key);
    if (found !== undefined) return found;
    const message = `There is no model of ${name} for ${gender} at age ${age}.`;
    throw new Problem('model_not_found', message);
  }

  private setPerson(gender: Gender, country: string, age: number): void {
    this.key.gender = GENDERS.indexOf(gender);
    this.key.country = this.countries.get(country) ?? -1;
    this.key.ageYears = age;
    if (this.key.country < 0) throw new Error(`country ${country} passed the validation`);
  }

  private missing(cell: Cell, status: 'no_model' | 'age_without_model'): string {
    const { measurement, gender, age } = cell;
    if (status === 'no_model') return `There is no model of ${measurement} for ${gender}.`;
    const { views } = this.finder;
    const row = dimensionRow(this.key.measurement, this.key.gender);
    const from = views.ageMinYears[row];
    const to = views.ageMaxYears[row];
    return `There is no model of ${measurement} for ${gender} at age ${age}; ages ${from} to ${to} have one.`;
  }
}
