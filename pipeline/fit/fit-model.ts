import { GENDERS, type Gender } from '../../src/core/genders.js';
import { MEASUREMENT_NAMES, type MeasurementName } from '../../src/core/measurements.js';
import { DIMENSION_PLAN } from '../model/dimension-plan.js';
import type { RawTables } from '../tables/database.js';
import { readStudies, type Study, studyLosses } from '../tables/studies.js';
import { addSubsamples, readSurvey, type Survey } from '../tables/surveys.js';
import { type AdultSources, fitAdults } from './adult-model.js';
import { type Calibration, fitCalibration } from './calibration.js';
import { fitCarryOver } from './carry-over.js';
import { type ChildFit, fitChild } from './child-model.js';
import { fitCivilians, levelled } from './civilians.js';
import type { CorrelationSurveys } from './correlation-evidence.js';
import { fitCountryShifts } from './country-drivers.js';
import { fitHeightLoss } from './height-loss.js';
import { infantArmShare } from './infants.js';
import type { Expected, Origin } from './pooling.js';
import type { FittedModel } from './population.js';
import {
  baseDepartures,
  departuresOf,
  type SampleContext,
  soldierMarginal,
  surveyStudies,
} from './study-regression.js';
import { fitUsDrivers, readCdc } from './us-drivers.js';

/** A fitted model with the surveys behind it, and what left-out sources cost. */
export interface Fit {
  readonly model: FittedModel;
  /** What national studies are predicted from. */
  readonly samples: SampleContext;
  /** What the national studies say, with its uncertainty. */
  readonly calibration: Calibration;
  readonly sources: AdultSources;
  readonly correlated: CorrelationSurveys;
  readonly losses: readonly string[];
}

/**
 * Sources the build rests on, besides those of national studies (`studySources`). `--without` may
 * name the optional ones and those of national studies.
 */
export const SOURCES = {
  required: [
    'allowances',
    'ansur1',
    'ansur1-headboard',
    'ansur2',
    'cdc2000',
    'height-loss',
    'nhanes',
    'snyder1977',
    'stature-sd',
    'usaf1967',
  ],
  optional: ['ncdrisc-2016', 'ncdrisc-2020', 'ncdrisc-2024-bmi'],
} as const;

const perGender = <T>(make: (gender: Gender) => T): Record<Gender, T> =>
  Object.fromEntries(GENDERS.map((gender) => [gender, make(gender)])) as Record<Gender, T>;

/** Fits the whole model to the survey tables. */
export async function fitModel(tables: RawTables): Promise<Fit> {
  const losses: string[] = [];
  const nhanes = await readSurvey(tables, 'nhanes');
  await addSubsamples(tables, nhanes);
  const snyder = await readSurvey(tables, 'snyder1977');
  await addSubsamples(tables, snyder);
  const sources: AdultSources = {
    ansur1: await readSurvey(tables, 'ansur1'),
    ansur2: await readSurvey(tables, 'ansur2'),
    headboard: await tables.rows('ansur1-headboard', 'headboard', 'dimension, gender'),
  };
  const heightLoss = await fitHeightLoss(tables);
  const usDrivers = await fitUsDrivers(tables, nhanes, heightLoss);
  const cdc = await readCdc(tables);
  const adults = perGender((gender) => fitAdults(sources, gender));
  const civilians = levelled(fitCivilians(nhanes, usDrivers), adults, sources.ansur2);
  const studies = await readStudies(tables);
  losses.push(...studyLosses(tables));
  const usaf1967 = await readSurvey(tables, 'usaf1967');
  const samples = {
    adults,
    heightLoss,
    soldiers: sources.ansur2,
    earlier: [
      { survey: sources.ansur1, year: 1988 },
      { survey: usaf1967, year: 1967 },
    ],
  };
  const adultCv = perGender((gender) => usDrivers(gender, 35).lnStatureSd);
  const countryShift = await fitCountryShifts(
    tables,
    losses,
    adultCv,
    (gender, age) => usDrivers(gender, age).lnStature,
  );
  const calibrated = calibrationOf(samples, studies);
  const model: FittedModel = {
    usDrivers,
    countryShift,
    heightLoss,
    adults,
    civilians,
    carryOver: fitCarryOver(sources, civilians, adults),
    ...calibrated.model,
    children: perGender((gender) => fitChildren(snyder, gender)),
    lnInfantArmShare: infantArmShare(nhanes),
    lnInfantHeadGirth: (gender, age) => Math.log(cdc.headGirthMm(gender, age)),
    referenceStatureMm: perGender((gender) => Math.exp(usDrivers(gender, 35).lnStature)),
  };
  const correlated: CorrelationSurveys = {
    adults: [sources.ansur2, sources.ansur1],
    lastResort: [usaf1967],
    children: snyder,
    civilians: nhanes,
  };
  return { model, samples, sources, correlated, losses, calibration: calibrated.calibration };
}

/** ln shift and spread of a dimension in a country's people of today, from all national studies. */
function calibrationOf(
  context: SampleContext,
  studies: readonly Study[],
): { model: Pick<FittedModel, 'calibration' | 'spread'>; calibration: Calibration } {
  const departures = [
    ...baseDepartures(context),
    ...departuresOf(context, [...surveyStudies(context), ...studies]),
  ];
  const everywhere = fitCalibration(departures);
  // The United States' own level is what its own surveys say; another country departs from it by what
  // sets the two apart among all studies, in which what all of them have in common cancels.
  const atHome = fitCalibration(
    departures.filter(({ country }) => country === 'US'),
    everywhere.variances,
  );
  const found = perGender(() => new Map<string, { shift: number; ratio: number }>());
  const of = (gender: Gender, country: string, name: MeasurementName) => {
    const key = `${country}|${name}`;
    const known = found[gender].get(key);
    if (known !== undefined) return known;
    const unit = soldierMarginal(context, { gender }, name);
    if (unit === undefined || name === 'Stature') return { shift: 0, ratio: 1 };
    const today = { gender, country, era: 0 };
    const home = { gender, country: 'US', era: 0 };
    const sum = (say: (fitted: Calibration, origin: Origin) => Expected): number =>
      say(atHome, home).value + say(everywhere, today).value - say(everywhere, home).value;
    const result = {
      shift: sum((fitted, origin) => fitted.expected(origin, name)) * unit.sd,
      ratio: Math.exp(sum((fitted, origin) => fitted.lnSpread(origin, name))),
    };
    found[gender].set(key, result);
    return result;
  };
  const model: Pick<FittedModel, 'calibration' | 'spread'> = {
    calibration: (gender, country, name) => of(gender, country, name).shift,
    spread: (gender, country, name) => of(gender, country, name).ratio,
  };
  return { model, calibration: everywhere };
}

function fitChildren(snyder: Survey, gender: Gender): Map<string, ChildFit> {
  const fits = new Map<string, ChildFit>();
  for (const name of MEASUREMENT_NAMES) {
    const { childhood } = DIMENSION_PLAN[name];
    if (childhood?.kind !== 'snyder') continue;
    const { variable = name } = childhood;
    const fit = fitChild(snyder, gender, name, variable);
    if (fit === undefined) throw new Error(`snyder1977 has no ${variable}; mend the plan`);
    fits.set(name, fit);
  }
  return fits;
}
