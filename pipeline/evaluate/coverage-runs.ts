import { MEASUREMENT_NAMES, type MeasurementName } from '../../src/core/measurements.js';
import type { Fit } from '../fit/fit-model.js';
import { CorrelationEvidence } from '../fit/joint/correlation-evidence.js';
import type { FittedModel } from '../model/fitted-model.js';
import { NHANES_VARIABLE } from '../plans/correlation-plan.js';
import type { RawTables } from '../raw-tables/raw-tables.js';
import { readSurvey, type Survey } from '../raw-tables/surveys.js';
import {
  type Bin,
  type BinCoverage,
  type CoverageSummary,
  fromAnsur2,
  readBins,
  scoreCoverage,
  summariseCoverage,
} from './coverage.js';
import { crossRho, militaryRho, modelRho } from './coverage-rho.js';
import { modelOfPeriod } from './sized-model.js';

/** Conditional ranges of one survey’s people, with correlations from a named source. */
export interface CoverageRun extends CoverageSummary {
  readonly survey: string;
  readonly correlations: string;
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

/**
 * Scores conditional ranges on every survey that has bins, the model on ANSUR I first. The correlations come from other
 * surveys.
 */
export async function scoreCoverageRuns(fit: Fit, tables: RawTables): Promise<CoverageRun[]> {
  const { model, correlated } = fit;
  const { ansur1, ansur2 } = fit.sources;
  const { nhanes, ...others } = correlated;
  if (nhanes === undefined) throw new Error('the fit has no NHANES');
  const usaf1967 = await readSurvey(tables, 'usaf1967');
  const army = (await readBins(tables, 'ansur1')).filter(
    ({ anchor, linked }) => fromAnsur2(anchor) && fromAnsur2(linked),
  );
  const civil = named(await readBins(tables, 'nhanes'));
  const withoutAnsur1 = new CorrelationEvidence({ ...correlated, adults: [ansur2] });
  const ofAnsur1 = new CorrelationEvidence({ adults: [ansur1] });
  const ofBoth = new CorrelationEvidence({ adults: [ansur1, ansur2] });
  const runs: readonly (readonly [survey: string, correlations: string, BinCoverage[]])[] = [
    [
      'ANSUR I',
      'model, its residuals without ANSUR I',
      scoreCoverage(army, militaryRho(model, withoutAnsur1, ansur1)),
    ],
    [
      'ANSUR II',
      'slopes and residuals of ANSUR I',
      scoreCoverage(await readBins(tables, 'ansur2'), crossRho(ansur1, ofAnsur1, ansur2)),
    ],
    [
      'USAF 1967',
      'slopes of ANSUR II, residuals of both ANSUR',
      scoreCoverage(await readBins(tables, 'usaf1967'), crossRho(ansur2, ofBoth, usaf1967)),
    ],
    [
      'NHANES',
      'slopes of NHANES (fitted), residuals of soldiers and Snyder’s children',
      scoreNhanesCoverage(model, nhanes, new CorrelationEvidence(others), civil),
    ],
  ];
  return runs.map(([survey, correlations, bins]) => {
    return { survey, correlations, ...summariseCoverage(bins) };
  });
}
