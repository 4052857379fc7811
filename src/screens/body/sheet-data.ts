import { isMeasurementName } from '../../core/measurements.js';
import { populationPercentiles } from '../../operations/population-percentiles.js';
import { countriesOf } from '../../operations/population-request.js';
import { viewsOf } from '../../render/marks.js';
import { RUNS } from '../../render/runs.js';
import { NEUTRAL_SUIT } from '../../site/drawing-colours.js';
import { deviceHeightPx } from '../../site/pictures/addresses.js';
import { titlesByUse } from '../shared/evidence.js';
import { foundPerson, type Known } from '../shared/found-person.js';
import type { FreeAnswers } from '../shared/free-computations.js';
import { clothingOf, populationBody, populationLabel } from '../shared/populations.js';
import { type BodyView, populationOfSheet } from './address.js';
import { numbersOf } from './data.js';
import type { BodyData, SheetPerson } from './data-types.js';

/**
 * The numbers of a sheet: percentiles of the population, and the evidence for the medians in its first country at its
 * middle age, of women if it has both genders.
 *
 * @throws Problem of the API
 */
export async function sheetDataOf(
  view: BodyView,
  free: FreeAnswers,
  artifactVersion: string,
  left: AbortSignal,
): Promise<BodyData> {
  const population = populationOfSheet(view);
  const { gender = 'Female', countries } = population;
  const first = {
    ...population,
    gender,
    countries: countriesOf(countries[0] ?? '')?.slice(0, 1) ?? [],
  };
  const { surveys, ...numbers } = await numbersOf(population, view.measurements, first, free, left);
  return {
    populations: [{ label: populationLabel(population), ...numbers }],
    surveys: titlesByUse(surveys),
    drawn: await drawnOf(view, free, left),
    ...{ hasBodies: free.hasBodies(), posture: view.posture, side: view.side, artifactVersion },
  };
}

/** The median person of the sheet's population, with the lines of the dimensions. */
async function drawnOf(
  view: BodyView,
  free: FreeAnswers,
  left: AbortSignal,
): Promise<SheetPerson | undefined> {
  const { answer, hasBodies } = free;
  const { measurements } = view;
  const population = populationOfSheet(view);
  const names = measurements.filter(isMeasurementName);
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
        isMeasurementName(one) && RUNS[one].view === name ? [{ name: one, number: index + 1 }] : [],
      ),
    } as const;
    return free.addresses.page({ person, view: name, suit: NEUTRAL_SUIT, heightPx, lines });
  });
  return { who, pictures };
}

/** Height of a picture in print, CSS pixels. */
const FIGURE_PX = 480;
