// cspell:ignore äpfel
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openPopulationStore } from '../../src/screens/widgets/saved-populations.js';

// cspell:ignore unstub

const ACCOUNT_MAX = 3;

/** Texts that the account keeps, by name. */
let account: Map<string, string>;
let browser: Map<string, string>;

const inBrowser = () => JSON.parse(browser.get('vitruvia.populations') ?? '[]') as unknown[];

/** Answers as the routes of the account do. */
async function answer(path: string, init?: { method: string; body: URLSearchParams }) {
  const name = init?.body.get('name') ?? '';
  const population = init?.body.get('population') ?? '';
  const isFull = !account.has(name) && account.size >= ACCOUNT_MAX;
  if (init !== undefined && path.endsWith('/remove')) account.delete(name);
  else if (init !== undefined && isFull) {
    return Response.json({ detail: 'Remove one first.' }, { status: 422 });
  } else if (init !== undefined) account.set(name, population);
  const populations = [...account].map(([name, population]) => ({ name, population }));
  return Response.json({ populations, csrf: 'token' });
}

beforeEach(() => {
  account = new Map();
  browser = new Map();
  vi.stubGlobal('fetch', vi.fn(answer));
  vi.stubGlobal('document', { documentElement: { dataset: { signedIn: '' } } });
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => browser.get(key) ?? null,
    setItem: (key: string, text: string) => browser.set(key, text),
  });
});
afterEach(() => vi.unstubAllGlobals());

/** Populations that were saved in the browser before the sign-in. */
function before(...saved: readonly (readonly [name: string, population: string])[]): void {
  const all = saved.map(([name, population]) => ({ name, population }));
  browser.set('vitruvia.populations', JSON.stringify(all));
}

it('moves populations to the account, where none takes the place of another one', async () => {
  account.set('Pilots', 'Male~DE~20-40');
  account.set('Crew', 'Both~DE~20-40');
  before(['Pilots', 'Female~FR~18-65'], ['Crew', 'Both~DE~20-40']);
  const store = await openPopulationStore();
  expect(store).toMatchObject({ isAccount: true, notMoved: undefined });
  expect([...account]).toEqual([
    ['Pilots', 'Male~DE~20-40'],
    ['Crew', 'Both~DE~20-40'],
    ['Pilots (2)', 'Female~FR~18-65'],
  ]);
  expect(inBrowser()).toEqual([]);
});

it('keeps what the account refuses, says so, and can be used', async () => {
  for (let i = 0; i < ACCOUNT_MAX; i++) account.set(`n${i}`, 'Both~DE~20-40');
  before(['Pilots', 'Female~FR~18-65']);
  const store = await openPopulationStore();
  expect(store.notMoved).toBe('“Pilots” stays in this browser: Remove one first.');
  expect(inBrowser()).toHaveLength(1);
  await store.remove('n1');
  expect((await openPopulationStore()).notMoved).toBeUndefined();
  expect([...account.keys()]).toEqual(['n0', 'n2', 'Pilots']);
  expect(inBrowser()).toEqual([]);
});

it('has room for a number of them in the browser, and replaces one at any time', async () => {
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  before(...Array.from({ length: 100 }, (_, i) => [`n${i}`, 'Both~DE~20-40'] as const));
  const store = await openPopulationStore();
  const [population] = (await store.list()).map((one) => one.population);
  if (population === undefined) throw new Error('nothing was read');
  await expect(store.save({ name: 'new', population })).rejects.toThrow('at most 100');
  expect(population.name).toBe('n0');
  await store.save({ name: 'n7', population });
  expect(inBrowser()).toHaveLength(100);
  expect(inBrowser()).toContainEqual({ name: 'n7', population: 'Both~DE~20-40' });
});

it('lists the account as people look for names, and says when its session has ended', async () => {
  for (const name of ['team 10', 'Zebra', 'Team 9', 'alpine']) account.set(name, 'Both~DE~20-40');
  const store = await openPopulationStore();
  expect((await store.list()).map(({ name }) => name)).toEqual([
    ...['alpine', 'Team 9', 'team 10', 'Zebra'],
  ]);
  const signInPage = new Response('<!DOCTYPE html>', { headers: { 'content-type': 'text/html' } });
  Object.defineProperty(signInPage, 'redirected', { value: true });
  vi.stubGlobal('fetch', async () => signInPage);
  await expect(store.remove('Zebra')).rejects.toThrow('You are signed out');
});
