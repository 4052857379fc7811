import type { ArtifactViews } from '../../src/lookup/reader.js';
import { surveyStudies } from '../fit/calibration/us-studies.js';
import { fitModel } from '../fit/fit-model.js';
import { RawTables } from '../raw-tables/raw-tables.js';
import { readSource } from '../sources.js';
import { scoreAnatomy } from './anatomist.js';
import { sweepBodies } from './anatomy-sweep.js';
import { scoreAnsur1 } from './ansur-cross.js';
import { Asked } from './asked.js';
import { scoreCaseCalls } from './boundary-calls.js';
import { scoreCompletion } from './completion.js';
import { pairedNames, readBins, scoreCoverage } from './coverage.js';
import { summariseEvidence } from './evidence.js';
import { scoreExactAges } from './exact-ages.js';
import { type FoldKind, makeFolds } from './folds.js';
import { scoreGivenDrivers } from './given-drivers.js';
import { scoreDesignedRanges, scoreJointShares } from './joint-shares.js';
import { scoreSums } from './joint-sums.js';
import { scoreLevels } from './levels.js';
import { scoreNhanesPersons } from './nhanes-persons.js';
import { studyLearner } from './predictors.js';
import { type SampledPeople, scoreSampledPeople } from './sampled-people.js';
import { scoreServed } from './served.js';
import { pooledModel } from './sized-model.js';
import { scoreSnyder } from './snyder.js';
import { scoreStunting } from './stunting.js';
import { scoreNhanes } from './us-nhanes.js';
import { scoreWeightForHeight } from './weight-for-height.js';
import { backTestYears } from './year-back-test.js';
import { scoreNhanesYear } from './year-nhanes.js';

/** Checksums of the tables that were read, by source. */
function inputHashes(tables: RawTables): Record<string, string> {
  const { rawDir, sourcesRead } = tables;
  return Object.fromEntries(sourcesRead.map((name) => [name, readSource(rawDir, name).sha256]));
}

/**
 * Scores the answers of an artifact, and those of models that are fitted without some surveys.
 *
 * @param views the artifact that a build from these tables gives
 * @param stage is called with the name of each stage when the stage begins
 * @param known the sampled people of an earlier run; without them, a million people are sampled, which takes a minute
 * @throws Error if a source is missing
 */
export async function evaluate(
  rawDir: string,
  views: ArtifactViews,
  stage: (name: string) => void,
  known: { readonly sampled?: SampledPeople } = {},
) {
  const asked = new Asked(views);
  const tables = await RawTables.open(rawDir, []);
  try {
    stage('fitting the model');
    const fit = await fitModel(tables);
    const { model, samples, sources } = fit;
    stage('national studies');
    const studies = fit.studies;
    const learner = studyLearner(fit);
    const foldsOf = (kind: FoldKind) => makeFolds(studies, kind, surveyStudies(samples));
    const folds = { family: foldsOf('family'), country: foldsOf('country') };
    const byFamily = scoreGivenDrivers(fit, learner, folds.family);
    const byCountry = scoreGivenDrivers(fit, learner, folds.country);
    stage('levels of stature and BMI');
    const levels = scoreLevels(fit, asked);
    const stunting = scoreStunting(fit);
    const weightForHeight = scoreWeightForHeight(fit);
    stage('NHANES, ANSUR I');
    const pooled = pooledModel(model, fit.trend);
    const nhanes = await scoreNhanes(asked, pooled, fit, tables);
    const exactAges = await scoreExactAges(asked, tables);
    const bins = await readBins(tables);
    const ansur1 = scoreAnsur1(model, sources.ansur1, pairedNames(bins));
    stage('Snyder');
    const children = fit.tables.snyder;
    const snyder = scoreSnyder(model, children);
    stage('anatomy');
    const anatomy = scoreAnatomy(sweepBodies(asked));
    stage('left-out surveys as served');
    const served = scoreServed(fit, learner, folds, nhanes, [
      ...stunting.served,
      ...weightForHeight.served,
    ]);
    stage('sums of parts');
    const sums = scoreSums(asked);
    stage('other years');
    const years = {
      backTests: backTestYears(fit.tables),
      nhanes: scoreNhanesYear(asked, fit.tables.nhanes),
    };
    stage('persons');
    const persons = {
      shares: await scoreJointShares(tables),
      ranges: await scoreDesignedRanges(tables),
      completion: await scoreCompletion(tables),
    };
    stage('boundary cases, persons of NHANES');
    const calls = scoreCaseCalls(asked);
    const nhanesPersons = await scoreNhanesPersons(asked, tables);
    stage('sampled people');
    const sampled = known.sampled ?? scoreSampledPeople(asked);
    stage('conditional ranges');
    const coverage = scoreCoverage(fit, bins);
    return {
      // Comes last, because all tables have been read by then.
      inputs: inputHashes(tables),
      levels,
      stunting,
      weightForHeight,
      anatomy,
      served,
      byFamily,
      byCountry,
      nhanes,
      exactAges,
      evidence: summariseEvidence(asked),
      ansur1,
      snyder,
      coverage,
      sums,
      persons,
      calls,
      nhanesPersons,
      sampled,
      years,
    };
  } finally {
    tables.close();
  }
}

/** The results of one run of the evaluation. */
export type Evaluation = Awaited<ReturnType<typeof evaluate>>;
