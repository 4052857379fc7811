import { GENDERS, type Gender } from '../../../src/core/genders.js';
import { MEASUREMENT_NAMES } from '../../../src/core/measurements.js';
import { correlationIndex } from '../../../src/lookup/format.js';
import type { FittedModel, ScoreCorrelation } from '../../model/fitted-model.js';
import { interpolate, memoisePairs } from '../../numerics/numbers.js';
import { CORRELATION_AGES_YEARS } from '../../plans/axes.js';
import { CorrelationEvidence, type CorrelationSurveys } from './correlation-evidence.js';
import { type Correlations, fitCorrelations } from './correlations.js';

const INDEX = new Map<string, number>(MEASUREMENT_NAMES.map((name, index) => [name, index]));
const SIZE = MEASUREMENT_NAMES.length;

/** The correlation matrices of the artifact, fitted when they are first needed. */
export class JointCorrelations {
  private fitted: Correlations | undefined;
  private readonly byAge = new Map<string, ScoreCorrelation>();

  constructor(
    private readonly model: FittedModel,
    private readonly surveys: CorrelationSurveys,
  ) {}

  /**
   * The matrices at the ages of `CORRELATION_AGES_YEARS`, in the order of `correlationIndex`.
   *
   * @param progress called after each matrix
   */
  matrices(progress: () => void = () => undefined): Correlations {
    this.fitted ??= fitCorrelations(
      this.model,
      new CorrelationEvidence(this.surveys),
      GENDERS,
      CORRELATION_AGES_YEARS,
      progress,
    );
    return this.fitted;
  }

  /** Correlations at an age, linear between the matrices as in the service. */
  at(gender: Gender, ageYears: number): ScoreCorrelation {
    const key = `${gender}|${ageYears}`;
    const known = this.byAge.get(key);
    if (known !== undefined) return known;
    const { rho } = this.matrices();
    const g = GENDERS.indexOf(gender);
    const found = memoisePairs((a, b) => {
      const [i, j] = [INDEX.get(a) as number, INDEX.get(b) as number];
      const ofAges = CORRELATION_AGES_YEARS.map(
        (_, age) => rho[correlationIndex(SIZE, age, g, i, j)] as number,
      );
      return interpolate(CORRELATION_AGES_YEARS, ofAges, ageYears);
    });
    this.byAge.set(key, found);
    return found;
  }
}
