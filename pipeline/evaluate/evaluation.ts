import { fitModel } from '../fit/fit-model.js';
import { readSource } from '../sources.js';
import { RawTables } from '../tables/database.js';
import { readStudies, studySources } from '../tables/studies.js';
import { readSurvey } from '../tables/surveys.js';
import { type AnsurError, scoreAnsur1 } from './ansur-cross.js';
import {
  type BinCoverage,
  modelRho,
  pairedNames,
  readBins,
  scoreCoverage,
  surveyRho,
} from './coverage.js';
import { type FoldScores, scoreGivenDrivers } from './given-drivers.js';
import { type SnyderError, scoreSnyder } from './snyder.js';
import { type NhanesError, scoreNhanes } from './us-nhanes.js';

/** Everything that one run of the evaluation finds. */
export interface Evaluation {
  /** SHA-256 of the survey tables it rests on, by source. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly byFamily: FoldScores;
  readonly byCountry: FoldScores;
  readonly nhanes: readonly NhanesError[];
  readonly ansur1: readonly AnsurError[];
  readonly snyder: readonly SnyderError[];
  /** Coverage with the correlations of ANSUR II as they are. */
  readonly surveyCoverage: readonly BinCoverage[];
  /** Coverage with the model's correlations. */
  readonly modelCoverage: readonly BinCoverage[];
}

/** Sources whose tables the evaluation reads, directly or through the fit, besides the studies. */
const SOURCES_READ = [
  ...['ansur1', 'ansur1-headboard', 'ansur2', 'cdc2000', 'height-loss', 'ncdrisc-2016'],
  ...['ncdrisc-2020', 'ncdrisc-2024-bmi', 'nhanes', 'snyder1977', 'stature-sd'],
] as const;

/** Checksums of the survey tables, by source. */
export function inputHashes(rawDir: string): Record<string, string> {
  const names = [...SOURCES_READ, ...studySources(rawDir)].sort();
  return Object.fromEntries(names.map((name) => [name, readSource(rawDir, name).sha256]));
}

/**
 * Fits the model and scores it on everything there is to score it on.
 *
 * @param stage told what is under way
 * @throws Error when a source is missing
 */
export async function evaluate(rawDir: string, stage: (name: string) => void): Promise<Evaluation> {
  const tables = await RawTables.open(rawDir, []);
  try {
    stage('fitting the model');
    const { model, sources } = await fitModel(tables);
    const context = { model, soldiers: sources.ansur2 };
    stage('national studies');
    const studies = await readStudies(tables);
    const byFamily = scoreGivenDrivers(context, studies, 'family');
    const byCountry = scoreGivenDrivers(context, studies, 'country');
    stage('NHANES, ANSUR I');
    const nhanes = await scoreNhanes(model, sources, tables);
    const bins = await readBins(tables);
    const ansur1 = await scoreAnsur1(model, sources.ansur1, tables, pairedNames(bins));
    stage('Snyder');
    const snyder = scoreSnyder(model, await readSurvey(tables, 'snyder1977'));
    stage('conditional ranges');
    return {
      inputs: inputHashes(rawDir),
      byFamily,
      byCountry,
      nhanes,
      ansur1,
      snyder,
      surveyCoverage: scoreCoverage(bins, surveyRho(sources)),
      modelCoverage: scoreCoverage(bins, modelRho(model, sources)),
    };
  } finally {
    tables.close();
  }
}
