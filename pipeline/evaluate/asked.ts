import type { CountryCode } from '../../src/core/countries.js';
import { GENDERS, type Gender } from '../../src/core/genders.js';
import {
  CellFinder,
  curveInverse,
  curveValue,
  dimensionRow,
  emptyKey,
  normalDensity,
  percentileOfZ,
} from '../../src/lookup/cell.js';
import { Z_COUNT, Z_FIRST, Z_MEDIAN, Z_STEP } from '../../src/lookup/format.js';
import type { ArtifactViews } from '../../src/lookup/reader.js';
import { JointPeople } from '../../src/population/joint.js';
import { type Cohort, NUDE, PeopleModel } from '../../src/population/people-model.js';
import { REFERENCE_YEAR } from '../plans/axes.js';

/** The people of a country, gender and exact age; of the reference year if no year is named. */
export interface AskedPeople {
  readonly gender: Gender;
  readonly country: CountryCode;
  readonly ageYears: number;
  readonly year?: number;
}

/** Weights of the knots in a mean over people: the normal density at their scores (trapezoidal rule). */
const DENSITIES = Array.from({ length: Z_COUNT }, (_, i) => normalDensity(Z_FIRST + i * Z_STEP));
const ALL = DENSITIES.reduce((sum, density) => sum + density, 0);

/** Mean of a quantity of people whose values at the knots are given. */
const meanOver = (valueAt: (knot: number) => number): number =>
  DENSITIES.reduce((sum, density, i) => sum + density * valueAt(i), 0) / ALL;

/** A quantile curve as the service answers it: of a dimension in mm, BMI in kg/m² or body mass in kg. */
export class AskedCurve {
  constructor(private readonly knots: Float64Array) {}

  get median(): number {
    return this.knots[Z_MEDIAN];
  }

  /** Value at a normal score. */
  at(z: number): number {
    return curveValue(this.knots, z);
  }

  /** Share of the people below a value, 0 to 1. */
  below(value: number): number {
    return percentileOfZ(curveInverse(this.knots, value)) / 100;
  }

  get mean(): number {
    return meanOver((i) => this.knots[i]);
  }

  get lnMean(): number {
    return meanOver((i) => Math.log(this.knots[i]));
  }

  /** Standard deviation of the logarithm. */
  get lnSd(): number {
    const middle = this.lnMean;
    return Math.sqrt(meanOver((i) => (Math.log(this.knots[i]) - middle) ** 2));
  }
}

/** The answers of an artifact for nude, erect people, read with the code of the service. */
export class Asked {
  readonly peopleModel: PeopleModel;
  readonly joint: JointPeople;

  constructor(readonly views: ArtifactViews) {
    this.peopleModel = new PeopleModel(views);
    this.joint = new JointPeople(this.peopleModel);
  }

  /** The cohort of the artifact with these people. */
  cohortOf({ gender, country, ageYears, year = REFERENCE_YEAR }: AskedPeople): Cohort {
    const index = this.views.manifest.axes.countries.indexOf(country);
    return { country: index, gender: GENDERS.indexOf(gender), ageYears, year };
  }

  /** The quantile curve of a measurement, `BMI` or `BodyMass`; undefined where there is no model. */
  curve(name: string, people: AskedPeople): AskedCurve | undefined {
    const knots = new Float64Array(Z_COUNT);
    const { peopleModel } = this;
    const found = peopleModel.fill(peopleModel.indexOf(name), this.cohortOf(people), NUDE, knots);
    return found ? new AskedCurve(knots) : undefined;
  }

  /**
   * The same where there is a model.
   *
   * @throws Error where there is none
   */
  known(name: string, people: AskedPeople): AskedCurve {
    const curve = this.curve(name, people);
    if (curve === undefined) throw new Error(`no model of ${name} at ${people.ageYears} years`);
    return curve;
  }

  /** Median stature (mm) of one population by age, as fast as it can be asked. */
  grownMm(gender: Gender, country: CountryCode): (ageYears: number) => number {
    const finder = new CellFinder(this.views);
    const [g, knots] = [GENDERS.indexOf(gender), new Float64Array(Z_COUNT)];
    const block = this.views.block[dimensionRow(this.peopleModel.stature, g)];
    const key = {
      ...emptyKey(),
      gender: g,
      country: this.cohortOf({ gender, country, ageYears: 0 }).country,
    };
    return (ageYears) => {
      finder.blend(this.views.quantiles, block, { ...key, ageYears }, knots);
      return knots[Z_MEDIAN];
    };
  }
}
