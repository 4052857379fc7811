import type { Gender } from '../../src/core/genders.js';
import type { CellValue, RawTables } from './raw-tables.js';

/** Moments of one variable in one group. Names that begin with `t` belong to the transformed variable. */
export interface Moment {
  readonly transform: 'log' | 'linear';
  readonly n: number;
  readonly mean: number;
  readonly sd: number;
  readonly p1: number;
  readonly p5: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly tMean: number;
  readonly tSd: number;
  readonly tSkew: number;
}

/**
 * Means and covariances over the people of a group who have one dimension, stature, mass and age. A
 * regression needs all of these from the same people.
 */
export interface Subsample {
  readonly n: number;
  /** Means of ln D (mm), ln stature (mm), ln BMI (kg/m²) and of age in years. */
  readonly mean: Readonly<Record<SubsampleField, number>>;
  /** Covariances of these four quantities. */
  readonly covariance: (a: SubsampleField, b: SubsampleField) => number;
}

/** A variable of a subsample; `dimension` is the measured dimension. */
export type SubsampleField = 'dimension' | 'stature' | 'bmi' | 'age';

/** One gender and age group of a survey: moments and covariances of transformed variables. */
export class SurveyGroup {
  readonly moments = new Map<string, Moment>();
  /** By dimension; empty for surveys without subsamples. */
  readonly subsamples = new Map<string, Subsample>();
  /** By the two names in their order. The maps are nested, because joining names takes longer than the rest. */
  private readonly covariances = new Map<string, Map<string, { n: number; cov: number }>>();

  /** Adds the covariance of two variables. */
  addCovariance(a: string, b: string, n: number, cov: number): void {
    const [first, second] = a < b ? [a, b] : [b, a];
    const known = this.covariances.get(first) ?? new Map<string, { n: number; cov: number }>();
    this.covariances.set(first, known.set(second, { n, cov }));
  }

  /** Covariance of two transformed variables with its count, or undefined. */
  covariance(a: string, b: string): { n: number; cov: number } | undefined {
    return a < b ? this.covariances.get(a)?.get(b) : this.covariances.get(b)?.get(a);
  }

  /**
   * Moments of a variable.
   *
   * @throws Error when the group does not have it
   */
  moment(variable: string): Moment {
    const moment = this.moments.get(variable);
    if (moment === undefined) throw new Error(`no moments of ${variable}`);
    return moment;
  }
}

/** A person survey: its groups by gender and age group. */
export class Survey {
  readonly groups = new Map<string, SurveyGroup>();

  constructor(readonly name: string) {}

  /** The group of a gender and age group, or undefined. */
  group(gender: Gender, ageGroup: string): SurveyGroup | undefined {
    return this.groups.get(`${gender}|${ageGroup}`);
  }

  /** Groups of a gender whose age groups begin with a text such as `2011-2023/`, with the rest of their names. */
  groupsOf(gender: Gender, beginning = ''): [ages: string, group: SurveyGroup][] {
    const start = `${gender}|${beginning}`;
    const found = [...this.groups].filter(([key]) => key.startsWith(start));
    return found.map(([key, group]) => [key.slice(start.length), group]);
  }

  /**
   * The group of all adults of a gender.
   *
   * @throws Error when the survey has none
   */
  adults(gender: Gender): SurveyGroup {
    const group = this.group(gender, 'adult');
    if (group === undefined) throw new Error(`${this.name} has no ${gender} adults`);
    return group;
  }
}

function addMoments(
  survey: Survey,
  rows: readonly Record<string, CellValue>[],
  groupOf: (row: Record<string, CellValue>) => string,
): void {
  for (const row of rows) {
    const key = `${row.gender}|${groupOf(row)}`;
    const group = survey.groups.get(key) ?? new SurveyGroup();
    survey.groups.set(key, group);
    group.moments.set(String(row.variable), {
      transform: row.transform === 'log' ? 'log' : 'linear',
      n: Number(row.n),
      mean: Number(row.mean),
      sd: Number(row.sd),
      p1: Number(row.p1),
      p5: Number(row.p5),
      p50: Number(row.p50),
      p95: Number(row.p95),
      p99: Number(row.p99),
      tMean: Number(row.t_mean),
      tSd: Number(row.t_sd),
      tSkew: Number(row.t_skew),
    });
  }
}

/** Reads the soldiers of ANSUR II by origin. The codes of the origins serve as age groups. */
export async function readOrigins(tables: RawTables, source: string): Promise<Survey> {
  const survey = new Survey(source);
  const rows = await tables.rows(survey.name, 'origins', 'gender, origin, variable');
  addMoments(survey, rows, (row) => `US/${row.origin}`);
  return survey;
}

/** Reads `<source>/moments.csv` and `covariances.csv`. */
export async function readSurvey(tables: RawTables, source: string): Promise<Survey> {
  const survey = new Survey(source);
  const moments = await tables.rows(source, 'moments', 'gender, age_group, variable');
  addMoments(survey, moments, (row) => String(row.age_group));
  for (const row of await tables.rows(source, 'covariances', 'gender, age_group, a, b')) {
    const group = survey.groups.get(`${row.gender}|${row.age_group}`);
    group?.addCovariance(String(row.a), String(row.b), Number(row.n), Number(row.cov));
  }
  return survey;
}

/** Reads `<source>/subsamples.csv` into the groups of a survey. */
export async function addSubsamples(tables: RawTables, survey: Survey): Promise<void> {
  for (const row of await tables.rows(survey.name, 'subsamples', 'gender, age_group, variable')) {
    const mean = (field: SubsampleField) => Number(row[`mean_${field}`]);
    survey.groups.get(`${row.gender}|${row.age_group}`)?.subsamples.set(String(row.variable), {
      n: Number(row.n),
      mean: {
        dimension: mean('dimension'),
        stature: mean('stature'),
        bmi: mean('bmi'),
        age: mean('age'),
      },
      covariance: (a, b) => Number(row[`cov_${a}_${b}`] ?? row[`cov_${b}_${a}`]),
    });
  }
}
