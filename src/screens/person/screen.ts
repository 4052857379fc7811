import { SURFACE_PATH } from '../../site/paths.js';
import type { Screen } from '../shared/screen.js';
import { sendCompressed } from '../shared/screen-routes.js';
import { PERSON_ADDRESS, type PersonView } from './address.js';
import type { PersonData } from './data-types.js';

const YEAR_SECONDS = 365 * 24 * 3600;

/** The Person screen: one whole person in three dimensions. */
export const PERSON: Screen<PersonView, PersonData> = {
  id: 'person',
  address: PERSON_ADDRESS,
  page: async () => (await import('./page.js')).PAGE,
  routes(app, { free }) {
    // The address of the surface contains the version of the data. So browsers may cache the answer.
    app.get(SURFACE_PATH, async (request, reply) => {
      const json = JSON.stringify(await free.surface());
      reply.header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`);
      return sendCompressed(request, reply, json, { type: 'application/json; charset=utf-8' });
    });
  },
};
