import { GENDERS, type Gender } from '../../../src/core/genders.js';
import { MEASUREMENT_NAMES } from '../../../src/core/measurements.js';
import { correlationIndex } from '../../../src/lookup/cell.js';
import type { FittedModel, ScoreCorrelation } from '../../model/fitted-model.js';
import { interpolate, memoisePairs } from '../../numerics/numbers.js';
import { CORRELATION_AGES_YEARS } from '../../plans/axes.js';
import { CorrelationEvidence, type CorrelationSurveys } from './correlation-evidence.js';
import {
  type Correlations,
  copyCorrelations,
  emptyCorrelations,
  fitCorrelations,
} from './correlations.js';

const INDEX = new Map<string, number>(MEASUREMENT_NAMES.map((name, index) => [name, index]));
const SIZE = MEASUREMENT_NAMES.length;

/** The correlation matrices of the artifact. A matrix is fitted when it is first needed. */
export class JointCorrelations {
  private readonly tables = emptyCorrelations(CORRELATION_AGES_YEARS.length);
  private readonly fitted = new Set<Gender>();
  private evidence: CorrelationEvidence | undefined;
  private readonly byAge = new Map<string, ScoreCorrelation>();

  constructor(
    private readonly model: FittedModel,
    private readonly surveys: CorrelationSurveys,
  ) {}

  /**
   * The matrices at the ages of `CORRELATION_AGES_YEARS`, in the order of `correlationIndex`.
   *
   * @param genders genders that are needed; the rows of others may be empty
   * @param progress called after each matrix that is fitted
   */
  matrices(
    genders: readonly Gender[] = GENDERS,
    progress: () => void = () => undefined,
  ): Correlations {
    for (const gender of genders) {
      if (this.fitted.has(gender)) continue;
      this.evidence ??= new CorrelationEvidence(this.surveys);
      const ages = CORRELATION_AGES_YEARS;
      fitCorrelations(this.tables, this.model, this.evidence, gender, ages, progress);
      this.fitted.add(gender);
    }
    return this.tables;
  }

  /** Takes over the matrices of a gender. Another thread has fitted them to the same surveys. */
  take(gender: Gender, from: Correlations): void {
    copyCorrelations(from, this.tables, gender);
    this.fitted.add(gender);
  }

  /** Correlations at an age. They are linear between the matrices, as in the service. */
  at(gender: Gender, ageYears: number): ScoreCorrelation {
    const key = `${gender}|${ageYears}`;
    const known = this.byAge.get(key);
    if (known !== undefined) return known;
    const { rho } = this.matrices([gender]);
    const g = GENDERS.indexOf(gender);
    const found = memoisePairs((a, b) => {
      const [i, j] = [INDEX.get(a) as number, INDEX.get(b) as number];
      const ofAges = CORRELATION_AGES_YEARS.map(
        (_, age) => rho[correlationIndex(SIZE, age, g, i, j)],
      );
      return interpolate(CORRELATION_AGES_YEARS, ofAges, ageYears);
    });
    this.byAge.set(key, found);
    return found;
  }
}
