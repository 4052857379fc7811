import { describe, expect, it } from 'vitest';
import { listKeys } from '../../src/accounts/keys.js';
import { listPurchases } from '../../src/payments/purchases.js';
import { accountOf, type FormClient, onceIn, signedUp } from '../support/form-client.js';
import { useService } from '../support/use-service.js';

const KEYS = '/account/keys';
const CREDITS = '/account/credits';
const DAY_MS = 24 * 3600_000;

let nowMs = Date.now();
let users = 0;
const service = useService({ clock: () => nowMs });

/** A new user with a confirmed address. */
async function newcomer() {
  const email = `once${++users}@example.com`;
  const client = await signedUp(service, email);
  return { client, account: await accountOf(service, email) };
}

async function onceOf(client: FormClient, page: string): Promise<string> {
  return onceIn((await client.get(page)).html) ?? '';
}

describe('a form that is sent twice', () => {
  it.each(['test', 'live'])('starts one purchase of %s credits', async (mode) => {
    const { client, account } = await newcomer();
    // The sign-up has already given the test credits of this day.
    nowMs += DAY_MS + 1;
    const once = await onceOf(client, CREDITS);
    const send = () =>
      client.submit(CREDITS, { mode, credits: '100' }, { action: `${CREDITS}/buy`, once });
    const [one, two] = await Promise.all([send(), send()]);
    const purchases = await listPurchases(service.db, account);
    expect(purchases).toHaveLength(1);
    const places = [one?.location, two?.location].sort();
    const id = purchases[0]?.id;
    expect(places).toEqual([`${CREDITS}/checkout/${id}`, `${CREDITS}?started=${id}`]);
    const shown = await client.get(`${CREDITS}?started=${id}`);
    expect(shown.html).toContain('Nothing new was started');
  });
});

describe('a form without a valid token', () => {
  it('creates nothing: token missing, of another session, or older than a day', async () => {
    const { client, account } = await newcomer();
    const { client: other } = await newcomer();
    const send = async (once: string) =>
      (await client.submit(KEYS, { name: 'mine', mode: 'test' }, { once })).status;
    expect(await send('')).toBe(409);
    expect(await send(await onceOf(other, KEYS))).toBe(409);
    const old = await onceOf(client, KEYS);
    nowMs += DAY_MS;
    expect(await send(old)).toBe(409);
    expect(await listKeys(service.db, account)).toHaveLength(1);
    expect(await send(await onceOf(client, KEYS))).toBe(200);
  });
});
