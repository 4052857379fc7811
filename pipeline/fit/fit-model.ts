import { GENDERS, type Gender } from '../../src/core/genders.js';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import { DIMENSION_PLAN } from '../model/dimension-plan.js';
import type { RawTables } from '../tables/database.js';
import { readStudies, type Study, studyLosses } from '../tables/studies.js';
import { readSurvey, type Survey } from '../tables/surveys.js';
import { type AdultSources, fitAdults } from './adult-model.js';
import { fitCalibration } from './calibration.js';
import { fitCarryOver } from './carry-over.js';
import { type ChildFit, fitChild } from './child-model.js';
import { fitCivilians, levelled } from './civilians.js';
import type { CorrelationSurveys } from './correlation-evidence.js';
import { fitCountryShifts } from './country-drivers.js';
import { fitHeightLoss } from './height-loss.js';
import { infantArmShare } from './infants.js';
import type { FittedModel } from './population.js';
import {
  departuresOf,
  type SampleContext,
  soldierDepartures,
  soldierMarginal,
} from './study-regression.js';
import { fitUsDrivers, readCdc } from './us-drivers.js';

/** A fitted model with the surveys behind it, and what left-out sources cost. */
export interface Fit {
  readonly model: FittedModel;
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
  const snyder = await readSurvey(tables, 'snyder1977');
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
  const adultCv = perGender((gender) => usDrivers(gender, 35).lnStatureSd);
  const model: FittedModel = {
    usDrivers,
    countryShift: await fitCountryShifts(
      tables,
      losses,
      adultCv,
      (gender, age) => usDrivers(gender, age).lnStature,
    ),
    heightLoss,
    adults,
    civilians,
    carryOver: fitCarryOver(sources, civilians, adults),
    calibration: calibrationOf({ adults, heightLoss, soldiers: sources.ansur2 }, studies),
    children: perGender((gender) => fitChildren(snyder, gender)),
    lnInfantArmShare: infantArmShare(nhanes),
    lnInfantHeadGirth: (gender, age) => Math.log(cdc.headGirthMm(gender, age)),
    referenceStatureMm: perGender((gender) => Math.exp(usDrivers(gender, 35).lnStature)),
  };
  const correlated: CorrelationSurveys = {
    adults: [sources.ansur2, sources.ansur1],
    lastResort: [await readSurvey(tables, 'usaf1967')],
    children: snyder,
    civilians: nhanes,
  };
  return { model, sources, correlated, losses };
}

/** ln shift of a dimension in a country, from all national studies. */
function calibrationOf(
  context: SampleContext,
  studies: readonly Study[],
): FittedModel['calibration'] {
  const calibration = fitCalibration([
    ...soldierDepartures(context),
    ...departuresOf(context, studies),
  ]);
  const known = new Map<string, number>();
  return (gender, country, name) => {
    const key = `${gender}|${country}|${name}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const unit = soldierMarginal(context, { gender }, name);
    if (unit === undefined) return 0;
    const shift = calibration.expected(gender, country, name).inSd * unit.sd;
    known.set(key, shift);
    return shift;
  };
}

function fitChildren(snyder: Survey, gender: Gender): Map<string, ChildFit> {
  const fits = new Map<string, ChildFit>();
  for (const name of MEASUREMENT_NAMES) {
    if (DIMENSION_PLAN[name].childhood?.kind !== 'snyder') continue;
    const fit = fitChild(snyder, gender, name);
    if (fit === undefined) throw new Error(`snyder1977 has no ${name}; mend the plan`);
    fits.set(name, fit);
  }
  return fits;
}
