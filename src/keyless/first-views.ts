import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { COMMON_VIEWS, FIRST_VIEWS } from '../pages/first-views.js';
import { PEOPLE_PATH } from '../site/paths.js';
import type { PageServer } from './page-app.js';

/** The store of pictures of the configuration; undefined if it is off. */
export function storeOf(config: { picturesDir: string; picturesMib: number }) {
  const { picturesDir: folder, picturesMib } = config;
  return picturesMib === 0 ? undefined : { folder, bytesMax: picturesMib * 1024 * 1024 };
}

/** Pictures and data are made so long after the start, ms. Requests of clients that wait for the start come first. */
const AFTER_MS = 3000;
/** Nobody asks for anything if the last answer was sent so long ago, ms. Views of products, which come last, wait longer. */
const [QUIET_MS, LONG_QUIET_MS] = [500, 5000];

const PICTURE = new RegExp(`${PEOPLE_PATH}[\\w~.,+-]+|/explore[\\w/]*/scene\\.svg\\?[^"]+`, 'g');

/** Makes the first views, with their pictures: one at a time, while no request is open. */
export async function makeFirstViews(
  server: Server,
  pages: PageServer,
  left: AbortSignal,
): Promise<void> {
  let [underWay, lastMs] = [0, 0];
  const count = ({ url }: IncomingMessage, response: ServerResponse) => {
    // Balancers ask for these every second.
    if (url === '/ready' || url === '/health') return;
    underWay += 1;
    response.once('close', () => {
      underWay -= 1;
      lastMs = Date.now();
    });
  };
  server.on('request', count);
  try {
    // This starts the thread of the pages.
    await pages.answer({ id: 'first-view', url: '/', ip: '0.0.0.0', headers: {} }, left);
    await sleep(AFTER_MS, undefined, { signal: left, ref: false });
    for (const [index, view] of FIRST_VIEWS.entries()) {
      // The limits of an address are those of one visitor. No client has an address of this network (RFC 1122, 3.2.1.3).
      const ip = `0.0.0.${index + 1}`;
      const quietMs = COMMON_VIEWS.includes(view) ? QUIET_MS : LONG_QUIET_MS;
      const ask = async (url: string) => {
        while (underWay > 0 || Date.now() - lastMs < quietMs) {
          await sleep(QUIET_MS, undefined, { signal: left, ref: false });
        }
        return pages.answer({ id: 'first-view', url, ip, headers: { accept: 'text/html' } }, left);
      };
      const { body } = await ask(view);
      const addresses = Buffer.from(body).toString().match(PICTURE) ?? [];
      for (const address of new Set(addresses)) await ask(address.replaceAll('&amp;', '&'));
    }
  } catch {
    // The service ends, or it is too busy. Visitors make what is missing.
  } finally {
    server.off('request', count);
  }
}
