import { Problem } from '../../core/errors.js';
import { MEASUREMENT_NAMES, type MeasurementName } from '../../core/measurements.js';
import { readingOf } from '../../core/readings.js';
import { evidence } from '../../operations/evidence.js';
import { populationPercentiles } from '../../operations/population-percentiles.js';
import { countriesOf } from '../../operations/population-request.js';
import { viewsOf } from '../../render/marks.js';
import { RUNS } from '../../render/runs.js';
import { NEUTRAL_SUIT } from '../../site/drawing-colours.js';
import { deviceHeightPx, type PagePicture } from '../../site/pictures/addresses.js';
import { exactAge, middleAge } from '../shared/ages.js';
import { foundPerson, type Known } from '../shared/found-person.js';
import type { FreeAnswers } from '../shared/free-computations.js';
import { clothingOf, populationBody } from '../shared/populations.js';
import { surveyTitle } from '../shared/survey-titles.js';
import { apiUnit, SHEET_MAX, type SheetView } from './address.js';

/** A row of the sheet. Lengths are in the unit of the sheet, or in inches for feet and inches. */
export interface SheetRow {
  readonly measurement: string;
  readonly p5: number;
  readonly p50: number;
  readonly p95: number;
  readonly mean: number;
  readonly sd: number;
  /** Half width of the 90 % interval of the median. */
  readonly plusMinus: number;
  /** How directly surveys measured the dimension. */
  readonly reading: string;
  /** Countries whose people the surveys behind the median measured. */
  readonly measuredIn: readonly string[];
  readonly grade: string;
}

/** The numbers of a sheet. */
export interface SheetData {
  readonly rows: readonly SheetRow[];
  readonly people: number;
  /** Titles of the surveys behind the numbers, with years and countries. */
  readonly surveys: readonly string[];
  readonly artifactVersion: string;
  /** The person with the lines of the dimensions on the body; absent if no person can be drawn. */
  readonly drawn?: SheetPerson | undefined;
  /** Whether the model has bodies to draw. */
  readonly hasBodies: boolean;
  /** The API call that returns these numbers. */
  readonly body: object;
}

/** The drawn person of a sheet. */
export interface SheetPerson {
  /** Gender, age and country in words. */
  readonly who: string;
  /** The views that show the dimensions, with their lines and numbers. */
  readonly pictures: readonly PagePicture[];
}

/**
 * The numbers of a sheet: percentiles of the population, and the evidence for the medians in its first
 * country at its middle age.
 *
 * @throws Problem of the API, or if there are too many dimensions
 */
export async function sheetDataOf(
  view: SheetView,
  free: FreeAnswers,
  artifactVersion: string,
  left: AbortSignal,
): Promise<SheetData> {
  const { answer } = free;
  const { population, measurements } = view;
  const unit = apiUnit(view);
  if (measurements.length > SHEET_MAX) {
    const message = `A sheet has at most ${SHEET_MAX} measurements, not ${measurements.length}. Leave some out.`;
    throw new Problem('validation_error', message);
  }
  const { gender = 'Female', countries } = population;
  const body = {
    population: populationBody(population),
    measurements,
    percentiles: [5, 50, 95],
    unit,
    clothing: clothingOf(population),
  };
  const sheet = await answer(populationPercentiles, body, left);
  const country = countriesOf(countries[0] ?? '')?.[0];
  const person = { gender, age: exactAge(middleAge(population)), country, unit };
  const surveys = new Set<string>();
  const rows: SheetRow[] = [];
  for (const { measurement, mean, sd, values } of sheet.measurements) {
    const known = await answer(evidence, { ...person, measurement }, left);
    for (const survey of known.surveys) surveys.add(surveyTitle(survey));
    const [p5 = 0, p50 = 0, p95 = 0] = values.map(({ value }) => value);
    // A difference of decimals has digits that nobody has measured, so it is rounded.
    const plusMinus = Number(((known.high - known.low) / 2).toFixed(4));
    const reading = readingOf(measurement);
    const measuredIn = [...new Set(known.surveys.map((survey) => survey.country))].sort();
    const { grade } = known;
    rows.push({ measurement, p5, p50, p95, mean, sd, plusMinus, reading, measuredIn, grade });
  }
  const drawn = await drawnOf(view, free, left);
  const { people } = sheet;
  const hasBodies = free.hasBodies();
  return { rows, people, surveys: [...surveys].sort(), artifactVersion, body, drawn, hasBodies };
}

const isKnown = (name: string): name is MeasurementName =>
  (MEASUREMENT_NAMES as readonly string[]).includes(name);

/** The median person of the sheet's population, with the lines of the dimensions. */
async function drawnOf(
  { population, measurements }: SheetView,
  free: FreeAnswers,
  left: AbortSignal,
): Promise<SheetPerson | undefined> {
  const { answer, hasBodies } = free;
  const names = measurements.filter(isKnown);
  if (!hasBodies() || names.length === 0) return undefined;
  const body = {
    population: populationBody(population),
    measurements: ['Stature', 'BodyMass'],
    percentiles: [50],
    clothing: clothingOf(population),
  };
  const sizes = await answer(populationPercentiles, body, left);
  const known = sizes.measurements.map(({ measurement, values }) => ({
    measurement,
    value: values[0]?.value ?? 0,
  })) as [Known, Known];
  const found = await foundPerson(population, known, clothingOf(population), free, left);
  if (found === undefined) return undefined;
  const { who, person } = found;
  const heightPx = deviceHeightPx(FIGURE_PX);
  const pictures = viewsOf(names).map((name) => {
    const lines = {
      kind: 'numbered',
      measurements: measurements.flatMap((one, index) =>
        isKnown(one) && RUNS[one].view === name ? [{ name: one, number: index + 1 }] : [],
      ),
    } as const;
    return free.addresses.page({ person, view: name, suit: NEUTRAL_SUIT, heightPx, lines });
  });
  return { who, pictures };
}

/** Height of a picture in print, CSS pixels. */
const FIGURE_PX = 480;
