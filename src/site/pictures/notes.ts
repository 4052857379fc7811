import type { Miss } from '../../render/marks.js';
import type { PicturePlaces } from '../../render/picture.js';
import { inWords } from '../labels.js';

/** Text for a model without bodies. */
export const NO_BODIES =
  'This version of the data was built without the mesh of bodies, so people are not drawn.';

/** Text for pictures of people under two years. */
export const LYING =
  'People under two years are measured lying on their back, and they are drawn so.';

/** Text for people who cannot be drawn. */
export const NOBODY = 'No whole person can be predicted, so nobody is drawn.';
/**
 * Sentences on a drawn person: whether the body has another age or is only the nearest one, and which
 * dimensions are drawn more than 3 mm off.
 *
 * @param who the person in words, such as `a woman of 41 (Germany)`
 * @param names the dimensions that the picture shows
 */
export function notesOf(who: string, places: PicturePlaces, names: readonly string[]): string[] {
  const { bodyAgeYears, isNearest } = places;
  const misses = places.misses.filter(({ measurement }) => names.includes(measurement));
  const notes: string[] = [];
  if (bodyAgeYears !== undefined) {
    notes.push(
      `The body of ${who} has the shape of ${yearsText(bodyAgeYears)}, the nearest there is.`,
    );
  }
  if (isNearest) notes.push(`No body reaches ${who}; drawn is the nearest one.`);
  if (misses.length > 0) notes.push(`${missesInWords(who, misses)}.`);
  return notes;
}

const yearsText = (years: number): string => (years === 1 ? '1 year' : `${years} years`);

function missesInWords(who: string, misses: readonly Miss[]): string {
  const parts = misses.map(({ measurement, askedMm, drawnMm }) => {
    const off = Math.round(drawnMm - askedMm);
    return `${inWords(measurement).toLowerCase()} by ${off > 0 ? '+' : '−'}${Math.abs(off)} mm`;
  });
  return `The drawing of ${who} is off in ${parts.join(', ')}`;
}
