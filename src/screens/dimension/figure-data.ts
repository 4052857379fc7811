import { GENDERS } from '../../core/genders.js';
import { isMeasurementName } from '../../core/measurements.js';
import { RUNS } from '../../render/runs.js';
import { isMass } from '../../site/amounts.js';
import { NEUTRAL_SUIT } from '../../site/drawing-colours.js';
import { deviceHeightPx } from '../../site/pictures/addresses.js';
import { LYING, NO_BODIES, NOBODY } from '../../site/pictures/notes.js';
import { foundPerson, MEDIAN } from '../shared/found-person.js';
import type { FreeAnswers } from '../shared/free-computations.js';
import type { DimensionView } from './address.js';
import type { FigureData } from './data-types.js';

/** The parts of a view that decide its picture. */
export type FigureView = Pick<DimensionView, 'measurement' | 'gender' | 'age' | 'countries'>;

/** The picture of a view's measurement on the median person of the view's gender, age and first country. */
export async function figureDataOf(
  { measurement, gender, age, countries }: FigureView,
  free: FreeAnswers,
  left?: AbortSignal,
): Promise<FigureData> {
  if (!free.hasBodies()) return { caption: NO_BODIES };
  const name = isMeasurementName(measurement) ? measurement : undefined;
  const own = GENDERS.find((one) => one === gender);
  const isKnown = name !== undefined || isMass(measurement);
  if (!isKnown || own === undefined || !(age >= 0)) return { caption: NOBODY };
  const years = Math.floor(age);
  const population = {
    ...{ gender: own, countries: countries.slice(0, 1), ageMin: years, ageMax: years },
    clothing: 'nude' as const,
  };
  const found = await foundPerson(population, MEDIAN, population.clothing, free, left);
  if (found === undefined) return { caption: NOBODY };
  const { who, person } = found;
  // The mass is that of the whole body, so it has no line.
  const lines =
    name === undefined
      ? undefined
      : ({ kind: 'one', measurements: [{ name, number: 1 }] } as const);
  const view = name === undefined ? 'standingFront' : RUNS[name].view;
  const heightPx = deviceHeightPx(FIGURE_PX);
  const picture = free.addresses.page({ person, view, suit: NEUTRAL_SUIT, heightPx, lines });
  const lying = picture.lying === undefined ? '' : ` ${LYING}`;
  return { picture, caption: `Drawn is the median person: ${who}.${lying}`, who };
}

/** Height of the picture on a page, CSS pixels. */
const FIGURE_PX = 360;
