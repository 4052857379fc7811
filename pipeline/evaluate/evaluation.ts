import { COUNTRY_CODES } from '../../src/core/countries.js';
import { GENDERS } from '../../src/core/genders.js';
import { fitModel } from '../fit/fit-model.js';
import type { FittedModel } from '../fit/fitted-model.js';
import { Population } from '../fit/population.js';
import { RawTables } from '../raw-tables/raw-tables.js';
import { readStudies, studySources } from '../raw-tables/studies.js';
import { addSubsamples, readSurvey } from '../raw-tables/surveys.js';
import { readSource } from '../sources.js';
import { type AnsurError, scoreAnsur1 } from './ansur-cross.js';
import { type BoneSpread, boneSpreads } from './bone-spreads.js';
import { scoreCaseCalls } from './boundary-calls.js';
import { scoreCompletion } from './completion.js';
import { type CountryUncertainty, countryUncertainty } from './country-uncertainty.js';
import { pairedNames, readBins } from './coverage.js';
import { type CoverageRuns, scoreCoverageRuns } from './coverage-runs.js';
import { type GradesAtAge, summariseEvidence } from './evidence.js';
import { type GirthCurve, girthCurves } from './girth-curves.js';
import { type FoldScores, scoreGivenDrivers } from './given-drivers.js';
import { scoreDesignedRanges, scoreJointShares } from './joint-shares.js';
import { type SumError, scoredGroup, sumErrors } from './joint-sums.js';
import { scoreNhanesPersons } from './nhanes-persons.js';
import { type OriginAgreement, originAgreement } from './origin-agreement.js';
import type { PersonScoring } from './persons.js';
import type { PopulationScoring } from './populations.js';
import { scoreRangeWidths } from './range-widths.js';
import { type SampledPeople, scoreSampledPeople } from './sampled-people.js';
import { type SnyderError, scoreSnyder } from './snyder.js';
import { scoreToldApart } from './told-apart.js';
import { type BodyError, scoreBody } from './us-bmi-and-mass.js';
import { usPeople } from './us-bodies.js';
import { type NhanesError, scoreNhanes } from './us-nhanes.js';
import { type BackTest, backTestYears } from './year-back-test.js';
import { scoreYears, type YearScore } from './year-errors.js';
import { scoreNhanesYear } from './year-nhanes.js';
import { scoreStudyYears } from './year-studies.js';

/** The results of one run of the evaluation. */
export interface Evaluation {
  /** SHA-256 of the survey tables read, by source. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly byFamily: FoldScores;
  readonly byCountry: FoldScores;
  /** Relative spreads of bones at 35 years in every country. */
  readonly spreads: readonly BoneSpread[];
  /** What US soldiers by origin say of the countries of their ancestors. */
  readonly origins: readonly OriginAgreement[];
  readonly uncertainty: readonly CountryUncertainty[];
  readonly nhanes: readonly NhanesError[];
  /** BMI and body mass of the US. */
  readonly body: readonly BodyError[];
  readonly evidence: readonly GradesAtAge[];
  readonly ansur1: readonly AnsurError[];
  readonly snyder: readonly SnyderError[];
  /** Girths of every country between 12 and 25 years. */
  readonly girths: readonly GirthCurve[];
  /** Conditional ranges of each survey, with correlations from the others. */
  readonly coverage: CoverageRuns;
  /** Sums of correlated parts against their wholes. */
  readonly sums: readonly SumError[];
  /** Joint answers judged on the persons of the ANSUR surveys. */
  readonly persons: PersonScoring;
  /** Answers on populations and people, judged on the United States. */
  readonly populations: PopulationScoring;
  /** Other years than the reference year. */
  readonly years: {
    readonly backTests: readonly BackTest[];
    readonly nhanes: readonly YearScore[];
    readonly studies: readonly YearScore[];
  };
}

/** Sources that the evaluation reads, directly or through the fit, besides the studies. */
const SOURCES_READ = [
  ...['ansur1', 'ansur1-headboard', 'ansur1-persons', 'ansur2', 'ansur2-origins'],
  ...['ansur2-persons', 'cdc2000', 'height-loss', 'nhanes-persons', 'wpp2022'],
  ...['ncdrisc-2016', 'ncdrisc-2020', 'ncdrisc-2024-bmi', 'ncdrisc-2024-bmi-children'],
  ...['ncdrisc-2024-bmi-years', 'nhanes', 'snyder1977', 'stature-sd', 'usaf1967', 'who2007'],
] as const;

/** Checksums of the survey tables, by source. */
export function inputHashes(rawDir: string): Record<string, string> {
  const names = [...SOURCES_READ, ...studySources(rawDir)].sort();
  return Object.fromEntries(names.map((name) => [name, readSource(rawDir, name).sha256]));
}

/** Scores the answers that the tables cannot check, in every population. */
function scorePopulations(model: FittedModel): Pick<Evaluation, 'girths' | 'sums'> {
  const girths: GirthCurve[] = [];
  const sums: SumError[] = [];
  for (const country of COUNTRY_CODES) {
    const scored = scoredGroup(country);
    for (const gender of GENDERS) {
      const population = new Population(model, gender, country);
      girths.push(...girthCurves(population, gender, country));
      if (gender === scored.gender) sums.push(...sumErrors(model, population.at(scored.ageYears)));
    }
  }
  return { girths, sums };
}

/**
 * Fits the model and scores it on all surveys.
 *
 * @param stage called with the name of each stage when it begins
 * @param known the sampled people of an earlier run, in place of a million new ones, which take a minute
 * @throws Error when a source is missing
 */
export async function evaluate(
  rawDir: string,
  stage: (name: string) => void,
  known: { readonly sampled?: SampledPeople } = {},
): Promise<Evaluation> {
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
    const body = scoreBody(model, await readSurvey(tables, 'nhanes'));
    const paired = pairedNames(await readBins(tables, 'ansur1'));
    const ansur1 = await scoreAnsur1(model, sources.ansur1, tables, paired);
    stage('Snyder');
    const children = await readSurvey(tables, 'snyder1977');
    await addSubsamples(tables, children);
    const snyder = scoreSnyder(model, children);
    stage('all populations');
    const { girths, sums } = scorePopulations(model);
    stage('other years');
    const years = {
      backTests: await backTestYears(tables),
      nhanes: scoreYears(scoreNhanesYear(model, await readSurvey(tables, 'nhanes'))),
      studies: scoreYears(scoreStudyYears(context, studies)),
    };
    stage('persons');
    const persons = {
      shares: await scoreJointShares(tables),
      ranges: await scoreDesignedRanges(tables),
      completion: await scoreCompletion(tables),
    };
    stage('ranges, boundary cases, persons of NHANES');
    const us = await usPeople(fit, tables);
    const judged = {
      widths: scoreRangeWidths(us),
      calls: scoreCaseCalls(us),
      toldApart: await scoreToldApart(us, tables),
      nhanes: await scoreNhanesPersons(us, tables),
    };
    stage('sampled people');
    const populations = { ...judged, sampled: known.sampled ?? scoreSampledPeople(us) };
    stage('conditional ranges');
    return {
      inputs: inputHashes(rawDir),
      byFamily,
      byCountry,
      spreads: boneSpreads(model),
      origins: originAgreement(samples, studies),
      uncertainty: countryUncertainty(calibration, samples, studies),
      nhanes,
      body,
      evidence: summariseEvidence(fit),
      ansur1,
      snyder,
      girths,
      coverage: await scoreCoverageRuns(fit, tables),
      sums,
      persons,
      populations,
      years,
    };
  } finally {
    tables.close();
  }
}
