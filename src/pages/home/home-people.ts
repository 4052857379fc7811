import { readBodyView } from '../../core/body-view.js';
import { Problem } from '../../core/errors.js';
import { bodyDataOf } from '../explorer/body-data.js';
import { drawnPeople } from '../explorer/body-poses.js';
import type { FreeAnswers } from '../explorer/free-computations.js';
import type { DrawnPeople } from '../pictures/people-layout.js';

/**
 * The people of the drawing at the top of the first page: the default view of the explorer.
 *
 * @returns nobody if the model refuses the populations; undefined if too many computations wait now
 */
export async function homePeople(
  free: FreeAnswers,
  artifactVersion: string,
): Promise<readonly DrawnPeople[] | undefined> {
  const view = { ...readBodyView(new URLSearchParams()), measurements: ['Stature'] };
  try {
    const { populations } = await bodyDataOf(view, free, artifactVersion);
    return populations.some(({ isBusy }) => isBusy) ? undefined : drawnPeople(populations);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.code === 'service_busy' ? undefined : [];
  }
}
