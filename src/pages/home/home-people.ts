import { Problem } from '../../core/errors.js';
import { readBodyView } from '../../screens/body/address.js';
import { bodyDataOf } from '../../screens/body/data.js';
import { drawnPeople } from '../../screens/body/drawn-people.js';
import type { FreeAnswers } from '../../screens/shared/free-computations.js';
import type { DrawnPeople } from '../../site/pictures/people-layout.js';

/** Height of a person on the first page, CSS pixels. */
const PERSON_PX = 360;

/**
 * The people at the top of the first page: those of the default view of the Body screen.
 *
 * @returns an empty list if the model refuses the populations; undefined if too many computations wait
 */
export async function homePeople(
  free: FreeAnswers,
  artifactVersion: string,
): Promise<readonly DrawnPeople[] | undefined> {
  const view = { ...readBodyView(''), measurements: ['Stature'] };
  try {
    const { populations } = await bodyDataOf(view, free, artifactVersion, undefined, PERSON_PX);
    return drawnPeople(populations);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.code === 'service_busy' ? undefined : [];
  }
}
