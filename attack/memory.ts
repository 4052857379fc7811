import { setTimeout as sleep } from 'node:timers/promises';
import { COUNTRY_CODES } from '../src/core/countries.js';
import { ask } from './client.js';
import { type Finding, type Item, mb, said } from './finding.js';
import { PUBLIC_PAGES } from './public-pages.js';
import type { Sent } from './requests.js';
import { visitors } from './visitors.js';

const item = 'memory';
const PER_SECOND = 10;
/** So many visitors that the limits of an address do not slow them down. */
const VISITORS = Array.from({ length: 40 }, (_, i) => `127.0.3.${i + 1}`);
/** Paid requests under way at once, and the pause after each. */
const CUSTOMERS = 3;
const PAUSE_MS = 50;
/** From this minute on, the service takes no more than this. */
const PLATEAU_AFTER_MINUTES = 3;
const RESIDENT_MAX_BYTES = 600e6;

const sent = (path: string, body: object): Sent => ({ path, body: JSON.stringify(body) });
/** A paid request that no earlier number has sent. */
function paid(number: number): Sent {
  const country = COUNTRY_CODES[number % COUNTRY_CODES.length];
  const ages = Math.floor(number / COUNTRY_CODES.length);
  const ageMin = 18 + (ages % 23);
  const groups = [{ countries: [country], ageMin, ageMax: ageMin + 20 }];
  const population = { groups };
  const person = { gender: 'Female', age: ageMin, country, percentile: 50 };
  const known = [{ measurement: 'Stature', value: 1500 + (number % 300) }];
  const requests = [
    sent('/v1/predict', { ...person, measurement: 'Stature' }),
    sent('/v1/population/share', {
      population,
      limits: [{ measurement: 'Stature', min: 1500 + (number % 300) }],
    }),
    sent('/v1/population/percentiles', {
      population,
      measurements: ['Stature', 'SittingHeight'],
      percentiles: [5, 50, 95],
    }),
    sent('/v1/population/people', { population, count: 200 }),
    sent('/v1/body', { person: { gender: 'Female', age: ageMin, country, known } }),
  ];
  return requests[number % requests.length] as Sent;
}

/** Ever new parameters, with paid traffic: the memory of the service minute by minute. */
export const memory: Item = async function* (service, { minutes }) {
  const { address, victimKeys } = service;
  const seen = () => {
    const { resident, own } = service.resident();
    return { resident, text: `${mb(resident)} resident, ${mb(own)} of them its own` };
  };
  yield { item, what: 'after the start', seen: seen().text };
  const pages = PUBLIC_PAGES.map((_, place) => place);
  const visiting = await visitors({
    ...{ address, pages, perSecond: PER_SECOND, from: VISITORS, firstNumber: 1 },
  });
  const statuses: Record<string, number> = {};
  let [over, number] = [false, 0];
  const customer = async (): Promise<void> => {
    while (!over) {
      const key = victimKeys[++number % victimKeys.length] as string;
      const answer = await ask({ address, key }, paid(number)).catch(() => undefined);
      const status = answer?.status ?? 0;
      statuses[status] = (statuses[status] ?? 0) + 1;
      await sleep(PAUSE_MS);
    }
  };
  const customers = Array.from({ length: CUSTOMERS }, customer);
  for (let minute = 1; minute <= minutes; minute++) {
    await sleep(60_000);
    const { resident, text } = seen();
    const finding: Finding = { item, what: `minute ${minute}`, seen: text };
    const held = resident <= RESIDENT_MAX_BYTES;
    yield minute < PLATEAU_AFTER_MINUTES ? finding : { ...finding, held };
  }
  over = true;
  await Promise.all(customers);
  const visited = await visiting.stop();
  yield { item, what: 'visitors got', seen: said(visited.statuses) };
  yield { item, what: 'customers got', seen: said(statuses) };
};
