import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { makeFirstViews } from '../../src/keyless/first-views.js';
import type { PageServer } from '../../src/keyless/page-app.js';
import { FIRST_VIEWS } from '../../src/pages/first-views.js';
import { PEOPLE_PATH, SCREEN_PATHS } from '../../src/site/paths.js';

it('makes the first views and their pictures, one after the other, while no request is open', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const [asked, left]: [string[], AbortController] = [[], new AbortController()];
  let underWay = 0;
  const pages: PageServer = {
    async answer({ url }) {
      expect(underWay++).toBe(0);
      asked.push(url);
      await sleep(1);
      underWay--;
      const body = Buffer.from(`<img src="${PEOPLE_PATH}of${url.length}~v~s.webp">`);
      return { status: 200, headers: {}, body: url.startsWith(PEOPLE_PATH) ? Buffer.of() : body };
    },
    close: async () => undefined,
  };
  const made = makeFirstViews(server, pages, left.signal);
  const { port } = server.address() as AddressInfo;
  const [opened] = await Promise.all([once(server, 'request'), get({ port }).on('error', () => 0)]);
  const before = asked.length;
  await sleep(1200);
  expect(asked.length).toBeLessThanOrEqual(before + 1);
  opened[1].end();
  await made;
  expect(asked.filter((url) => !url.startsWith(PEOPLE_PATH))).toEqual(['/', ...FIRST_VIEWS]);
  expect(FIRST_VIEWS).toContain(`${SCREEN_PATHS.fit}?product=bicycle`);
  expect(asked).toHaveLength(1 + 2 * FIRST_VIEWS.length);
  server.close();
});
