import { fitModel } from '../fit/fit-model.js';
import { readSource } from '../sources.js';
import { RawTables } from '../tables/database.js';
import { readStudies, studySources } from '../tables/studies.js';
import { addSubsamples, readSurvey } from '../tables/surveys.js';
import { type AnsurError, scoreAnsur1 } from './ansur-cross.js';
import {
  type CountryUncertainty,
  countryUncertainty,
  modernCivilianRows,
} from './country-uncertainty.js';
import { pairedNames, readBins } from './coverage.js';
import { type CoverageRuns, scoreCoverageRuns } from './coverage-runs.js';
import { type FoldScores, scoreGivenDrivers } from './given-drivers.js';
import { type SnyderError, scoreSnyder } from './snyder.js';
import { type NhanesError, scoreNhanes } from './us-nhanes.js';

/** The results of one run of the evaluation. */
export interface Evaluation {
  /** SHA-256 of the survey tables read, by source. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly byFamily: FoldScores;
  readonly byCountry: FoldScores;
  readonly uncertainty: readonly CountryUncertainty[];
  /** Rows of civilians measured from 1990 on, in the national studies. */
  readonly modernCivilianRows: number;
  readonly nhanes: readonly NhanesError[];
  readonly ansur1: readonly AnsurError[];
  readonly snyder: readonly SnyderError[];
  /** Conditional ranges of each survey, with correlations from the others. */
  readonly coverage: CoverageRuns;
}

/** Sources that the evaluation reads, directly or through the fit, besides the studies. */
const SOURCES_READ = [
  ...['ansur1', 'ansur1-headboard', 'ansur2', 'cdc2000', 'height-loss', 'ncdrisc-2016'],
  ...['ncdrisc-2020', 'ncdrisc-2024-bmi', 'nhanes', 'snyder1977', 'stature-sd', 'usaf1967'],
] as const;

/** Checksums of the survey tables, by source. */
export function inputHashes(rawDir: string): Record<string, string> {
  const names = [...SOURCES_READ, ...studySources(rawDir)].sort();
  return Object.fromEntries(names.map((name) => [name, readSource(rawDir, name).sha256]));
}

/**
 * Fits the model and scores it on all surveys.
 *
 * @param stage called with the name of each stage when it begins
 * @throws Error when a source is missing
 */
export async function evaluate(rawDir: string, stage: (name: string) => void): Promise<Evaluation> {
  const tables = await RawTables.open(rawDir, []);
  try {
    stage('fitting the model');
    const fit = await fitModel(tables);
    const { model, samples, sources, calibration } = fit;
    const context = { model, samples };
    stage('national studies');
    const studies = await readStudies(tables);
    const byFamily = scoreGivenDrivers(context, studies, 'family');
    const byCountry = scoreGivenDrivers(context, studies, 'country');
    stage('NHANES, ANSUR I');
    const nhanes = await scoreNhanes(model, sources, tables);
    const paired = pairedNames(await readBins(tables, 'ansur1'));
    const ansur1 = await scoreAnsur1(model, sources.ansur1, tables, paired);
    stage('Snyder');
    const children = await readSurvey(tables, 'snyder1977');
    await addSubsamples(tables, children);
    const snyder = scoreSnyder(model, children);
    stage('conditional ranges');
    return {
      inputs: inputHashes(rawDir),
      byFamily,
      byCountry,
      uncertainty: countryUncertainty(calibration, studies),
      modernCivilianRows: modernCivilianRows(studies),
      nhanes,
      ansur1,
      snyder,
      coverage: await scoreCoverageRuns(fit, tables),
    };
  } finally {
    tables.close();
  }
}
