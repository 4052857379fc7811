import { MEASUREMENT_NAMES, type MeasurementName } from '../../src/core/measurements.js';
import type { Fit } from '../fit/fit-model.js';
import { CorrelationEvidence } from '../fit/joint/correlation-evidence.js';
import type { FittedModel } from '../model/fitted-model.js';
import { NHANES_VARIABLE } from '../plans/correlation-plan.js';
import type { RawTables } from '../raw-tables/raw-tables.js';
import { readSurvey, type Survey } from '../raw-tables/surveys.js';
import { type Bin, type BinCoverage, fromAnsur2, readBins, scoreCoverage } from './coverage.js';
import type { Witness } from './coverage-reasons.js';
import { crossRho, militaryRho, modelRho, surveyRho } from './coverage-rho.js';
import { modelOfPeriod } from './sized-model.js';

/** Conditional ranges of one survey’s people, with correlations from a named source. */
export interface CoverageRun {
  readonly survey: string;
  readonly correlations: string;
  /** Whether the scored model was fitted to these people. `partly`: only the correlations of the residuals were not. */
  readonly inSample: boolean | 'partly';
  readonly bins: readonly BinCoverage[];
  /** Other surveys’ own correlations, which help to explain errors. */
  readonly witnesses: readonly Witness[];
}

/** Every run, the model on ANSUR I first. */
export interface CoverageRuns {
  readonly model: CoverageRun;
  readonly others: readonly CoverageRun[];
}

const PERIODS = ['1999-2006', '2011-2023'] as const;
/** Middle age of each age band of NHANES. */
const BAND_YEARS: Readonly<Record<string, number>> = {
  ...{ '2-5': 4, '6-11': 9, '12-19': 15.5 },
  ...{ '20-39': 30, '40-59': 50, '60+': 70 },
};

const DIMENSION_OF = new Map(
  Object.entries(NHANES_VARIABLE).map(([name, variable]) => [variable, name]),
);

/** Keeps the bins of NHANES variables that are dimensions, and gives them the names of the dimensions. */
function named(bins: readonly Bin[]): Bin[] {
  const nameOf = (variable: string): MeasurementName | undefined => {
    const name = DIMENSION_OF.get(variable) ?? variable;
    return MEASUREMENT_NAMES.find((known) => known === name);
  };
  return bins.flatMap((bin) => {
    const [anchor, linked] = [nameOf(bin.anchor), nameOf(bin.linked)];
    return anchor === undefined || linked === undefined ? [] : [{ ...bin, anchor, linked }];
  });
}

function scoreNhanesCoverage(
  model: FittedModel,
  nhanes: Survey,
  evidence: CorrelationEvidence,
  bins: readonly Bin[],
): BinCoverage[] {
  return PERIODS.flatMap((period) => {
    const people = modelOfPeriod(model, nhanes, period);
    return Object.entries(BAND_YEARS).flatMap(([band, ageYears]) => {
      const members = bins.filter(({ ageGroup }) => ageGroup === `${period}/${band}`);
      return scoreCoverage(members, modelRho(people, evidence, ageYears));
    });
  });
}

/** Scores conditional ranges on every survey that has bins. The correlations come from other surveys. */
export async function scoreCoverageRuns(fit: Fit, tables: RawTables): Promise<CoverageRuns> {
  const { model, correlated } = fit;
  const { ansur1, ansur2 } = fit.sources;
  const { nhanes, ...others } = correlated;
  if (nhanes === undefined) throw new Error('the fit has no NHANES');
  const usaf1967 = await readSurvey(tables, 'usaf1967');
  const army = (await readBins(tables, 'ansur1')).filter(
    ({ anchor, linked }) => fromAnsur2(anchor) && fromAnsur2(linked),
  );
  const civil = named(await readBins(tables, 'nhanes'));
  const witness = {
    ansur1: { name: 'ANSUR I', rho: surveyRho(ansur1) },
    ansur2: { name: 'ANSUR II', rho: surveyRho(ansur2) },
    usaf1967: { name: 'USAF 1967', rho: surveyRho(usaf1967) },
  };
  const withoutAnsur1 = new CorrelationEvidence({ ...correlated, adults: [ansur2] });
  const ofAnsur1 = new CorrelationEvidence({ adults: [ansur1] });
  const ofBoth = new CorrelationEvidence({ adults: [ansur1, ansur2] });
  const model1 = militaryRho(model, withoutAnsur1, ansur1);
  const model2 = crossRho(ansur1, ofAnsur1, ansur2);
  const model3 = crossRho(ansur2, ofBoth, usaf1967);
  return {
    model: {
      survey: 'ANSUR I',
      correlations: 'model, its residuals without ANSUR I',
      inSample: false,
      bins: scoreCoverage(army, model1),
      witnesses: [witness.ansur2, witness.usaf1967],
    },
    others: [
      {
        survey: 'ANSUR I',
        correlations: 'ANSUR II as they stand',
        inSample: false,
        bins: scoreCoverage(army, surveyRho(ansur2)),
        witnesses: [witness.usaf1967],
      },
      {
        survey: 'ANSUR II',
        correlations: 'slopes and residuals of ANSUR I',
        inSample: false,
        bins: scoreCoverage(await readBins(tables, 'ansur2'), model2),
        witnesses: [witness.ansur1, witness.usaf1967],
      },
      {
        survey: 'USAF 1967',
        correlations: 'slopes of ANSUR II, residuals of both ANSUR',
        inSample: false,
        bins: scoreCoverage(await readBins(tables, 'usaf1967'), model3),
        witnesses: [witness.ansur1, witness.ansur2],
      },
      {
        survey: 'NHANES',
        correlations: 'slopes of NHANES, residuals of soldiers and Snyder’s children',
        inSample: 'partly',
        bins: scoreNhanesCoverage(model, nhanes, new CorrelationEvidence(others), civil),
        witnesses: [witness.ansur2, witness.ansur1],
      },
      {
        survey: 'NHANES',
        correlations: 'model as released, its residuals of NHANES (in-sample)',
        inSample: true,
        bins: scoreNhanesCoverage(model, nhanes, new CorrelationEvidence(correlated), civil),
        witnesses: [],
      },
    ],
  };
}
