import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { SURFACE_PATH } from '../../site/paths.js';
import type { Screen } from '../shared/screen.js';
import { PERSON_ADDRESS, type PersonView } from './address.js';
import type { PersonData } from './data-types.js';

const brotli = promisify(brotliCompress);
const YEAR_SECONDS = 365 * 24 * 3600;

/** The Person screen: one whole person in three dimensions. */
export const PERSON: Screen<PersonView, PersonData> = {
  id: 'person',
  address: PERSON_ADDRESS,
  page: async () => (await import('./page.js')).PAGE,
  routes(app, { free, model }) {
    const compressed = new Map<string, Buffer>();
    // The address of the surface contains the version of the data. So browsers may cache the answer.
    app.get(SURFACE_PATH, async (request, reply) => {
      const { artifactVersion } = model();
      const isCompressed = /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''));
      const kept = isCompressed ? compressed.get(artifactVersion) : undefined;
      const text = kept ?? JSON.stringify(await free.surface());
      reply
        .type('application/json; charset=utf-8')
        .header('vary', 'accept-encoding')
        .header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`);
      if (!isCompressed) return reply.send(text);
      reply.header('content-encoding', 'br');
      if (typeof text !== 'string') return reply.send(text);
      const bytes = await brotli(text);
      // If the model was reloaded meanwhile, these bytes are not cached. The next view has the new address.
      if (model().artifactVersion === artifactVersion) {
        compressed.clear();
        compressed.set(artifactVersion, bytes);
      }
      return reply.send(bytes);
    });
  },
};
