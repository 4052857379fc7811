import { rollup } from 'd3-array';
import { type Gender, perGender } from '../../src/core/genders.js';
import { MEASUREMENT_NAMES, type MeasurementName } from '../../src/core/measurements.js';
import { type ChildFit, type FittedModel, withCovariates } from '../model/fitted-model.js';
import { memoise } from '../numerics/numbers.js';
import { FIRST_YEAR } from '../plans/axes.js';
import { DIMENSION_PLAN } from '../plans/dimension-plan.js';
import type { RawTables } from '../raw-tables/raw-tables.js';
import { type Rows, readSourceTables, type SourceTables } from '../raw-tables/source-tables.js';
import { checkStudies, type Study, studiesOf, studyLosses } from '../raw-tables/studies.js';
import { faultText, type StudyFault } from '../raw-tables/study-faults.js';
import type { Survey } from '../raw-tables/surveys.js';
import { type Calibration, fitCalibration, sameAs } from './calibration/calibration.js';
import type { Expected, Origin } from './calibration/pooling.js';
import { studyExpectations } from './calibration/study-expectations.js';
import {
  baseDepartures,
  departuresOf,
  militaryMarginal,
  type SampleContext,
} from './calibration/study-regression.js';
import { surveyStudies } from './calibration/us-studies.js';
import { armDeparture, childDepartures } from './children/child-departures.js';
import { fitChild, withSharedLevel } from './children/child-fit.js';
import { infantArmShare } from './children/infants.js';
import {
  fitCohortStature,
  measuredAmericans,
  measuredSamples,
} from './covariates/cohort-stature.js';
import { checkCountries } from './covariates/country-check.js';
import { fitCountryShifts } from './covariates/country-covariates.js';
import {
  type CovariateErrors,
  covariateErrors,
  fitLnBmiError,
  withSamples,
  withUsualBmi,
} from './covariates/covariate-errors.js';
import { fitHeightLoss } from './covariates/height-loss.js';
import { infantLevels } from './covariates/infant-levels.js';
import type { SmallChildBmi } from './covariates/small-child-bmi.js';
import type { SmallChildStature } from './covariates/small-child-stature.js';
import { fitUsBmi } from './covariates/us-bmi.js';
import { fitUsCovariates } from './covariates/us-covariates.js';
import { fitUsTrend, type UsTrend } from './covariates/us-trend.js';
import { fitYearShifts } from './covariates/year-covariates.js';
import type { CorrelationSurveys } from './joint/correlation-evidence.js';
import { JointCorrelations } from './joint/joint-correlations.js';
import { ageEffects } from './regressions/age-effects.js';
import { fitCarryOver } from './regressions/carry-over.js';
import { fitMilitary, type MilitarySources } from './regressions/military-fit.js';
import { fitNhanes, withMilitaryLevels } from './regressions/nhanes-fit.js';
import { fitWaistSite, withWaistAtNavel } from './regressions/waist-site.js';

/** A fitted model, the surveys it was fitted to, and the cost of the sources left out. */
export interface Fit {
  readonly tables: SourceTables;
  readonly model: FittedModel;
  readonly joint: JointCorrelations;
  /** The fits from which the people of national studies are predicted. */
  readonly samples: SampleContext;
  /** The same fits to some of the national studies: civilians tell effects of age. */
  readonly samplesOf: (studies: readonly Study[]) => SampleContext;
  /** Departures of countries that the national studies show, with their uncertainty. */
  readonly calibration: Calibration;
  readonly sources: MilitarySources;
  readonly correlated: CorrelationSurveys;
  /** The national studies. */
  readonly studies: readonly Study[];
  /**
   * Survey family of the civilians of a country, by whose definitions and instruments the country is served. Countries
   * without such a survey are left out.
   */
  readonly ownFamily: ReadonlyMap<string, string>;
  /** Standard errors of the covariates of every country. */
  readonly errors: CovariateErrors;
  /**
   * The fit to some of the national studies.
   *
   * @param variances variance components to use instead of fitting them to these studies
   */
  readonly relearned: (studies: readonly Study[], variances?: Calibration['variances']) => Fit;
  /** Trend of the covariates of the United States. */
  readonly trend: UsTrend;
  /** Level of children under 5 years; undefined where its tables were left out. */
  readonly smallChildren: SmallChildStature | undefined;
  /** BMI of children under 5 years; undefined where its tables were left out. */
  readonly smallBmi: SmallChildBmi | undefined;
  readonly losses: readonly string[];
  /** Doubtful figures of the national studies, one a sentence. */
  readonly warnings: readonly string[];
}

/** Fits the base with which national studies are compared. */
function fitBase(tables: SourceTables) {
  const { ansur1, ansur2, headboard, nhanes, usaf1967, origins } = tables;
  const sources: MilitarySources = { ansur1, ansur2, headboard };
  const heightLoss = fitHeightLoss(tables);
  /** The fits to soldiers, with the effects of age that the surveys of civilians show. */
  const samplesWith = (regressions: Rows | undefined): SampleContext => ({
    military: perGender((gender) =>
      fitMilitary(sources, gender, ageEffects({ regressions, nhanes }, heightLoss, gender)),
    ),
    heightLoss,
    base: ansur2,
    earlier: [
      { survey: ansur1, year: 1988 },
      { survey: usaf1967, year: 1967 },
    ],
    origins,
  });
  const measured = [...measuredSamples(tables.statureSd), ...measuredAmericans(nhanes)];
  const cohortStature = fitCohortStature(tables, heightLoss, measured);
  return { sources, heightLoss, samplesWith, cohortStature };
}

/**
 * Checks the national studies as a build does.
 *
 * @returns doubtful figures, which do not stop a build
 * @throws StudyFaults with all faults of all files
 */
export async function checkTables(raw: RawTables): Promise<StudyFault[]> {
  const tables = await readSourceTables(raw);
  const { samplesWith, cohortStature } = fitBase(tables);
  const expectations = studyExpectations(samplesWith(tables.regressions), cohortStature);
  return checkStudies(tables.studyFiles, { ...expectations, comparesCounts: true });
}

/** Reads the survey tables and fits the whole model to them. */
export async function fitModel(raw: RawTables): Promise<Fit> {
  await checkCountries(raw);
  const tables = await readSourceTables(raw);
  const { nhanes, snyder, usaf1967, studyFiles } = tables;
  const losses: string[] = [];
  const { sources, heightLoss, samplesWith, cohortStature } = fitBase(tables);
  const trend = fitUsTrend(tables.nhanesCycles);
  const usCovariates = fitUsCovariates(tables, heightLoss, trend.change);
  const expectations = studyExpectations(samplesWith(tables.regressions), cohortStature);
  const doubts = checkStudies(studyFiles, expectations);
  const printed = studiesOf(studyFiles);
  losses.push(...studyLosses(studyFiles));
  const {
    at: countryShift,
    smallChildren,
    smallBmi,
    newborn,
  } = fitCountryShifts(
    tables,
    losses,
    cohortStature,
    heightLoss,
    usCovariates,
    {
      drawn: fitUsBmi(nhanes, trend.change),
      driven: (gender, age) => {
        const { lnBmi: mean, lnBmiSd: sd, lnBmiSkew: skew } = usCovariates(gender, age);
        return { mean, sd, skew };
      },
    },
    printed,
  );
  const covariates = withCovariates({
    usCovariates,
    countryShift,
    cohortStature,
    yearShifts: fitYearShifts(tables.bmiByYear, losses, cohortStature),
  });
  const children = perGender((gender) => fitChildren(snyder, gender));
  const fitsAmong = memoise((countries: string) => {
    const among = (row: Rows[number]) => countries.split(',').includes(String(row.country));
    const samples = samplesWith(tables.regressions?.filter(among));
    const { military } = samples;
    const fits = fitNhanes(nhanes, usCovariates);
    const asMeasured = withMilitaryLevels(fits, military, sources.ansur2);
    const crest = fitWaistSite(nhanes, snyder, asMeasured, military, sources.ansur2);
    const atNavel = withWaistAtNavel(asMeasured, crest);
    const carryOver = fitCarryOver(sources, atNavel, military);
    return { samples, military, nhanes: atNavel, carryOver };
  });
  /** The fits to soldiers and to civilians. A country whose survey is not among the studies tells no effects of age. */
  const fitsTo = (studies: readonly Study[]) => {
    const surveyed = (country: string) =>
      tables.regressions?.some((row) => row.country === country);
    return fitsAmong([...ownFamilies(studies).keys()].filter(surveyed).join());
  };
  const fixed = {
    ...covariates,
    heightLoss,
    children,
    lnInfantArmShare: infantArmShare(nhanes),
    lnInfantHeadGirth: infantLevels(tables).lnHeadGirth,
    lnNewbornHead:
      newborn && ((country: string) => (country === 'US' ? 0 : newborn(country).lnHeadGirth)),
    referenceStatureMm: perGender((gender) => Math.exp(usCovariates(gender, 35).lnStature)),
  };
  const correlated: CorrelationSurveys = {
    adults: [sources.ansur2, sources.ansur1],
    lastResort: [usaf1967],
    children: snyder,
    nhanes,
  };
  const smallErrors = { lnStature: smallChildren?.lnSe, lnBmi: smallBmi?.lnSe };
  const ofChildren = { stature: smallChildren?.fit.surveySd ?? 0, bmi: smallBmi?.surveySd ?? 0 };
  const warnings = doubts.map(faultText);
  const samplesOf = (studies: readonly Study[]) => fitsTo(studies).samples;
  const about = { tables, sources, correlated, trend, smallChildren, smallBmi };
  const learn = (studies: readonly Study[], variances?: Calibration['variances']): Fit => {
    const { samples, ...fits } = fitsTo(studies);
    const ownFamily = ownFamilies(studies);
    const { model: departures, calibration } = calibrationOf(
      samples,
      studies,
      ownFamily,
      variances,
    );
    /** Rows of the countries whose own survey is among the studies. */
    const own = (rows: Rows = []) => rows.filter(({ country }) => ownFamily.has(String(country)));
    const marginal = {
      ...{ ...fixed, ...fits, ...departures },
      ownRegression: ownRegressions(own(tables.regressions)),
      childDeparture: childDepartures(
        own(tables.sittingHeights),
        { ...covariates, ...departures, children },
        calibration,
        tables.whoHeights && armDeparture(tables.whoHeights, fits.nhanes),
      ),
    };
    const bmiError = fitLnBmiError(marginal, studies);
    const known = covariateErrors(
      tables,
      usCovariates,
      cohortStature,
      trend,
      bmiError,
      smallErrors,
    );
    const errors = withSamples(known, covariates, studies, ofChildren);
    const joint = new JointCorrelations(marginal, correlated);
    const model = { ...marginal, joint: joint.at.bind(joint) };
    const learned = { model, samples, joint, calibration, ownFamily, studies, errors };
    return { ...about, ...learned, samplesOf, relearned: learn, losses, warnings };
  };
  return learn(withUsualBmi(covariates, printed));
}

/**
 * Families of recent surveys of civilians, by country. The country is served as its survey measures: its definitions and
 * instruments are those by which people of the country are measured.
 */
function ownFamilies(studies: readonly Study[]): Fit['ownFamily'] {
  return new Map(
    studies
      .filter(({ people, year }) => people === 'general' && year >= FIRST_YEAR)
      .map(({ country, family }) => [country, family] as const),
  );
}

/**
 * Returns a function for the ln shift and the spread ratio of a dimension in a country today. They come
 * from all national studies.
 */
function calibrationOf(
  context: SampleContext,
  studies: readonly Study[],
  ownFamily: Fit['ownFamily'],
  known?: Calibration['variances'],
): { model: Pick<FittedModel, 'calibration' | 'spread'>; calibration: Calibration } {
  const departures = [
    ...baseDepartures(context),
    ...departuresOf(context, [...surveyStudies(context), ...studies]),
  ];
  const everywhere = fitCalibration(departures, known);
  // The level of the United States is fitted to its own surveys only. For another country, all studies are
  // fitted together. The difference between that country and the United States in this fit is added to the
  // US level. Whatever all studies have in common cancels out in the difference.
  const atHome = fitCalibration(
    departures.filter(({ country }) => country === 'US'),
    everywhere.variances,
  );
  /** The level of the US that its own surveys give, minus the one that all studies give. */
  const homeOf = (gender: Gender, name: MeasurementName) => {
    const home = { gender, country: 'US', era: 0 };
    const gap = (expected: (fitted: Calibration, origin: Origin) => Expected): number =>
      expected(atHome, home).value - expected(everywhere, home).value;
    return {
      shift: gap((fitted, origin) => fitted.expected(origin, name)),
      lnSpread: gap((fitted, origin) => fitted.lnSpread(origin, name)),
    };
  };
  // The maps are nested. A population asks for all dimensions of a country at many ages, and joining the
  // two names to one key takes longer than the rest.
  const of = perGender((gender) => {
    const ofDimension = memoise((name: MeasurementName) => {
      const unit = militaryMarginal(context, gender, name);
      if (unit === undefined || name === 'Stature') return () => ({ shift: 0, ratio: 1 });
      const home = homeOf(gender, name);
      return memoise((country: string) => {
        const today = { gender, country, era: 0, family: ownFamily.get(country) };
        return {
          shift: (home.shift + everywhere.expected(today, name).value) * unit.sd,
          ratio: Math.exp(home.lnSpread + everywhere.lnSpread(today, name).value),
        };
      });
    });
    return (country: string, name: MeasurementName) => ofDimension(name)(country);
  });
  const model: Pick<FittedModel, 'calibration' | 'spread'> = {
    calibration: (gender, country, name) => of[gender](country, name).shift,
    spread: (gender, country, name) => of[gender](country, name).ratio,
  };
  return { model, calibration: everywhere };
}

/** The regressions of a country's own survey on stature and BMI: means over its ages, weighted by people. */
function ownRegressions(rows: Rows): FittedModel['ownRegression'] {
  const means = rollup(
    rows,
    (ages) => {
      const people = ages.reduce((sum, { n }) => sum + Number(n), 0);
      const of = (column: string): number =>
        ages.reduce((sum, row) => sum + (Number(row.n) / people) * Number(row[column]), 0);
      const slopes = { slopeStature: of('slope_stature'), slopeBmi: of('slope_bmi') };
      return { ...slopes, residualSd: of('residual_sd') };
    },
    (row) => `${row.gender}|${row.country}|${sameAs(row.measurement as MeasurementName)}`,
  );
  return (gender, country, name) => means.get(`${gender}|${country}|${name}`);
}

function fitChildren(snyder: Survey, gender: Gender): Map<string, ChildFit> {
  const fits = new Map<string, ChildFit>();
  for (const name of MEASUREMENT_NAMES) {
    const { childhood } = DIMENSION_PLAN[name];
    if (childhood?.kind !== 'snyder') continue;
    const { variable = name, shared = false } = childhood;
    const fitOf = (of: Gender): ChildFit => {
      const fit = fitChild(snyder, of, name, variable);
      if (fit === undefined) throw new Error(`snyder1977 has no ${variable}; correct the plan`);
      return fit;
    };
    const other = gender === 'Male' ? 'Female' : 'Male';
    fits.set(name, shared ? withSharedLevel(fitOf(gender), fitOf(other)) : fitOf(gender));
  }
  return fits;
}
