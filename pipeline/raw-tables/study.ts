import type { Gender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';

/** One dimension of a study, in mm. A percentile or SD that was not printed is undefined. */
export interface StudyRow {
  readonly measurement: MeasurementName;
  readonly match: 'exact' | 'close' | 'poor';
  readonly meanMm: number;
  readonly sdMm: number | undefined;
  readonly p5Mm: number | undefined;
  readonly p95Mm: number | undefined;
  /** The figure suggests another definition than the service's. */
  readonly checkDefinition: boolean;
  /** The figure, its SD or a percentile may be misread. */
  readonly checkFigure: boolean;
}

/** A sample of one gender, with its own mean stature and BMI, where printed, and its dimensions. */
export interface Study {
  readonly id: string;
  readonly family: string;
  readonly country: string;
  readonly gender: Gender;
  readonly n: number;
  /** Year of measurement. If the sample gives none, it is the most likely year (`usualYear`). */
  readonly year: number;
  /** The population in the source's words: soldiers, workers, the general population. */
  readonly people: string;
  readonly ageMean: number | undefined;
  readonly statureMm: number | undefined;
  readonly statureSdMm: number | undefined;
  /** Mean BMI, kg/m², as printed. If it was not printed, it is mean mass over squared mean stature. */
  readonly bmi: number | undefined;
  /** Standard error of ln of the BMI if the sample printed neither; undefined if it printed one. */
  readonly lnBmiError?: number;
  /** Standard deviation of ln BMI. */
  readonly lnBmiSd: number | undefined;
  readonly rows: readonly StudyRow[];
}
