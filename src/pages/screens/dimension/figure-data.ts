import { GENDERS } from '../../../core/genders.js';
import { MEASUREMENT_NAMES, type MeasurementName } from '../../../core/measurements.js';
import { measurementFigure } from '../../../render/marks.js';
import { RUNS } from '../../../render/runs.js';
import { BUSY, NO_BODIES, NOBODY, notesOf } from '../../pictures/notes.js';
import { foundPerson, MEDIAN } from '../shared/found-person.js';
import { drawnOrBusy, type FreeAnswers } from '../shared/free-computations.js';
import type { DimensionView } from './address.js';
import type { FigureData } from './figure-data-types.js';

/** The parts of a view that decide its picture. */
export type FigureView = Pick<DimensionView, 'measurement' | 'gender' | 'age' | 'countries'>;

/** The picture of a view's measurement on the median person of the view's gender, age and first country. */
export async function figureDataOf(
  { measurement, gender, age, countries }: FigureView,
  free: FreeAnswers,
  left?: AbortSignal,
): Promise<FigureData> {
  if (!free.hasBodies()) return { caption: NO_BODIES };
  const name = MEASUREMENT_NAMES.find((one): one is MeasurementName => one === measurement);
  const own = GENDERS.find((one) => one === gender);
  if (name === undefined || own === undefined || !(age >= 0)) return { caption: NOBODY };
  const years = Math.floor(age);
  const population = {
    ...{ gender: own, countries: countries.slice(0, 1), ageMin: years, ageMax: years },
    clothing: 'nude' as const,
  };
  const found = await foundPerson(population, MEDIAN, population.clothing, free, left);
  if (found === undefined) return { caption: NOBODY };
  const { who, person } = found;
  const drawn = await drawnOrBusy(free.draw({ people: [person], views: [RUNS[name].view] }));
  if (drawn === 'busy') return { caption: BUSY };
  const [one] = drawn ?? [];
  const [drawing] = one?.drawings ?? [];
  if (one === undefined || drawing === undefined) return { caption: NOBODY };
  const notes = notesOf(who, one, person.valuesMm, [name]);
  return {
    figure: measurementFigure(drawing, name),
    caption: [`Drawn is the median person: ${who}.`, ...notes].join(' '),
  };
}
