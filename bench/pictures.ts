import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StancePicture } from '../src/render/stance-picture.js';
import { PEOPLE_PATH, SCREEN_PATHS } from '../src/site/paths.js';
import { PictureAddresses } from '../src/site/pictures/addresses.js';
import { ask, every, quantile, refusals, repeat, said } from './clients.js';
import type { Item } from './customer.js';
import { watchMemory } from './process.js';
import { PUBLIC_PAGES } from './public-pages.js';
import { CUSTOMER, reachOf } from './requests.js';
import type { Attacked } from './service.js';
import { mb, ms } from './table.js';

// Pictures of people need no key. Only pages can describe them.

/** Waits of a page before it asks again for what got 503, as in `src/screens/widgets/ask-again.ts`. */
const AGAIN_MS = [2000, 4000, 8000];

/** Asks as a page does. `ms` is the time until the picture or the page is there. */
async function askAgain(address: string, from: string, path: string) {
  const begunMs = performance.now();
  for (const waitMs of [...AGAIN_MS, undefined]) {
    const visitor = { address, from, headers: { 'accept-encoding': 'identity' } };
    const answer = await ask(visitor, { path });
    if (answer.status !== 503 || waitMs === undefined) {
      return { ...answer, ms: performance.now() - begunMs };
    }
    await sleep(waitMs);
  }
  throw new Error('each wait ends in an answer');
}

/** The data of a view that nobody has asked for, and the addresses of its pictures. */
async function viewOf({ address }: Attacked, screen: 'body' | 'reach', number: number) {
  const path = PUBLIC_PAGES.find(({ name }) => name === SCREEN_PATHS[screen])?.path(number) ?? '';
  const from = `127.0.4.${1 + (number % 200)}`;
  const { status, text } = await askAgain(address, from, path.replace('?', '/data?'));
  if (status !== 200) throw new Error(`no view: status ${status}, ${text.slice(0, 200)}`);
  return { from, text, pictures: text.match(/\/pictures\/people\/[^"]+\.webp/g) ?? [] };
}

const FRAMES: readonly StancePicture['frame'][] = [
  ...([
    [-1e9, 1e9, -1e9, 1e9],
    [-1000, 1000, 50, 50],
    [-1000, 1000, 50, -50],
  ] as const),
  [-1000, Number.NaN, 0, 1000],
];

/** Addresses that no page has. Those with absurd frames have a right signature, as if a page had described them. */
async function forgedAddresses(service: Attacked): Promise<string[]> {
  const { text, pictures } = await viewOf(service, 'reach', 1);
  const [, version = ''] = /"artifactVersion":"([^"]+)"/.exec(text) ?? [];
  const secret = await service.pictureSecret();
  const addresses = new PictureAddresses(
    () => version,
    () => [secret],
  );
  return pictures.flatMap((own) => {
    const found = addresses.at(own);
    if (found === undefined) throw new Error(`the page itself has a wrong address: ${own}`);
    const picture = found.picture as StancePicture;
    const described = own.slice(PEOPLE_PATH.length).split('~').slice(0, -2).join('~');
    const hash = createHash('sha256').update(`${described} ${version} 3`).digest('base64url');
    return [
      `${PEOPLE_PATH}${described}.webp`,
      own.replace(/[\w-]{16}\.webp$/, 'AAAAAAAAAAAAAAAA.webp'),
      // As addresses were signed until the year 2026.
      `${PEOPLE_PATH}${described}~${hash.slice(0, 16)}.webp`,
      ...FRAMES.map((frame) => addresses.of({ ...picture, frame, heightPx: 2000 }, 'webp')),
    ];
  });
}

const FORGED_PER_SECOND = 10;
const FORGED_MAX_BYTES = 50e6;
const WARM_UP_MS = 5000;

/** Forged addresses of pictures, beside a customer. */
export const forged: Item = async function* (service, { seconds }) {
  const { address, keys } = service;
  const addresses = await forgedAddresses(service);
  const predict = (i: number) =>
    ask({ address, key: keys[i % keys.length] as string }, CUSTOMER.predict);
  const customer = repeat(1, predict, () => 25);
  const attack = (i: number) => {
    const path = addresses[i % addresses.length] as string;
    return ask({ address, from: `127.0.4.${1 + (i % 40)}` }, { path });
  };
  const running = every(FORGED_PER_SECOND, attack);
  await sleep(WARM_UP_MS);
  const { moreBytes } = await watchMemory(200, service.memory, () => sleep(seconds * 1000));
  const done = await running.stop();
  yield {
    what: `${addresses.length} forged addresses of pictures, ${FORGED_PER_SECOND} a second (no 200, no 5xx)`,
    seen: `got ${said(done)}, the slowest after ${ms(quantile(done, 1))}`,
    held: Object.keys(done.statuses).every((status) => status.startsWith('4')),
  };
  const held = moreBytes <= FORGED_MAX_BYTES;
  yield { what: `  more memory (≤ ${mb(FORGED_MAX_BYTES)})`, seen: mb(moreBytes), held };
  const predicted = await customer.stop();
  yield {
    what: '  the customer beside it is not refused',
    seen: `${said(predicted)}, p99 ${ms(quantile(predicted, 0.99))}`,
    held: Object.keys(refusals(predicted).statuses).length === 0,
  };
};

const PICTURE_MAX_MS = 15_000;
const PAYERS = { reach_share: reachOf, population_share: () => CUSTOMER.share } as const;

/** New pictures of people, one after the other as a page asks for them, beside one payer who asks without a pause. */
export const freeWork: Item = async function* (service, { seconds }) {
  const { address, others } = service;
  let number = 0;
  for (const [name, request] of Object.entries(PAYERS)) {
    // Many accounts, so that the budget of one does not end the load.
    const key = (i: number) => others.paying[i % others.paying.length] as string;
    const payer = repeat(1, (i) => ask({ address, key: key(i) }, request(i)));
    const endMs = performance.now() + 1000 * Math.max(seconds, PICTURE_MAX_MS / 1000);
    const pictures: { readonly status: number; readonly ms: number }[] = [];
    for (; performance.now() < endMs; number++) {
      const view = await viewOf(service, 'body', number);
      for (const path of view.pictures) pictures.push(await askAgain(address, view.from, path));
    }
    const paid = await payer.stop();
    const worstMs = Math.max(...pictures.map((one) => one.ms));
    const there = pictures.filter(({ status }) => status === 200).length;
    yield {
      what: `new pictures beside one payer of ${name}: the slowest is there (≤ ${ms(PICTURE_MAX_MS)})`,
      seen: `${ms(worstMs)}; ${there} of ${pictures.length} came; the payer got ${said(paid)}, p95 ${ms(quantile(paid, 0.95))}`,
      held: there === pictures.length && there > 0 && worstMs <= PICTURE_MAX_MS,
    };
  }
};
