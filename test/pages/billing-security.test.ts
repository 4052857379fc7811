import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listKeys } from '../../src/accounts/keys.js';
import { csrfTokenOf } from '../../src/accounts/secret-token.js';
import { HOUR_MS } from '../../src/core/time.js';
import { listPurchases } from '../../src/payments/purchases.js';
import {
  paidSession,
  refundOf,
  type StripeDouble,
  signedEvent,
  startStripeDouble,
} from '../payments/stripe-double.js';
import {
  accountOf,
  csrfIn,
  FormClient,
  type Oddities,
  PASSWORD,
  signedUp,
} from '../support/form-client.js';
import { startService, type TestService } from '../support/service.js';

const KEYS = '/account/keys';
const CREDITS = '/account/credits';
const LEDGER = '/account/ledger';
const SETTINGS = '/account/settings';
const SIGN_IN = '/account/sign-in';
const SIGN_UP = '/account/sign-up';

/** Requests that other sites make a browser send. */
const ELSEWHERE: readonly Oddities[] = [
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'same-site', origin: 'http://evil.localhost' },
  // Older browsers send only an origin, which can be opaque.
  { 'sec-fetch-site': undefined, origin: 'https://evil.example' },
  { 'sec-fetch-site': undefined, origin: 'null' },
].map((headers) => ({ headers }));

let service: TestService;
let stripe: StripeDouble;
/** How far the service's clock is ahead. */
let aheadMs = 0;
beforeAll(async () => {
  stripe = await startStripeDouble();
  service = await startService({
    stripe: stripe.provider,
    clock: () => Date.now() + aheadMs,
  });
});
afterAll(async () => {
  await service.close();
  await stripe.close();
});

/** The live keys of an account. The sign-up has also created a test key, which is left out. */
async function liveKeys(account: string) {
  return (await listKeys(service.db, account)).filter(({ mode }) => mode === 'live');
}

let users = 0;
/** Creates a user with a live key and a paid pack of test credits. */
async function customer(name = 'Ada') {
  const email = `customer${++users}@example.com`;
  const client = await signedUp(service, email, { name });
  const made = await client.submit(KEYS, { name, mode: 'live' });
  // The sign-up has already given the test credits of this day.
  aheadMs += 25 * HOUR_MS;
  const apiKey = /id="api-key">([^<]+)</.exec(made.html)?.[1] ?? '';
  const bought = await client.submit(
    CREDITS,
    { mode: 'test', credits: '100' },
    { action: `${CREDITS}/buy` },
  );
  const checkout = bought.location ?? '';
  await client.submit(checkout, {}, { action: `${checkout}/pay` });
  const account = await accountOf(service, email);
  const [key] = await liveKeys(account);
  const [purchase] = await listPurchases(service.db, account);
  if (key === undefined || purchase === undefined) throw new Error(made.html);
  return { client, email, apiKey, account, key, purchase, checkout };
}

function hook(body: Buffer, headers: Record<string, string>) {
  return service.http.inject({
    method: 'POST',
    url: '/webhooks/stripe',
    payload: body,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  });
}

describe('one account', () => {
  it('cannot read or change keys, purchases, ledger or export of another account', async () => {
    const victim = await customer('Victim’s key');
    const thief = await customer('Thief’s key');
    for (const action of ['revoke', 'rotate']) {
      const path = `${KEYS}/${victim.key.id}/${action}`;
      expect((await thief.client.get(path)).status).toBe(404);
      const answer = await thief.client.submit(KEYS, { ends: 'now' }, { action: path });
      expect(answer.status).toBe(404);
    }
    expect(await liveKeys(victim.account)).toEqual([victim.key]);
    expect((await thief.client.get(victim.checkout)).status).toBe(404);
    for (const action of ['pay', 'cancel', 'refund']) {
      const path = `${victim.checkout}/${action}`;
      expect((await thief.client.submit(CREDITS, {}, { action: path })).status).toBe(404);
    }
    expect(await listPurchases(service.db, victim.account)).toEqual([victim.purchase]);
    const pages = [
      KEYS,
      `${CREDITS}?purchase=${victim.purchase.id}`,
      `${LEDGER}?mode=test&account=${victim.account}`,
      `${LEDGER}.csv?mode=test&account=${victim.account}`,
      `/account/usage?by=key&account=${victim.account}`,
    ];
    const secrets = [victim.key.id, victim.key.displayStart, 'Victim', victim.purchase.id];
    for (const path of pages) {
      const { status, html } = await thief.client.get(path);
      expect(status, path).toBe(200);
      for (const secret of secrets) expect(html, path).not.toContain(secret);
    }
    const own = await thief.client.get(`${LEDGER}.csv?mode=test`);
    expect(own.html).toContain(`purchase:${thief.purchase.id},1100`);
    expect(own.headers['content-disposition']).toMatch(
      /^attachment; filename="vitruvia-ledger-test/,
    );
  });

  it('is required: without a session, every page redirects to sign-in and nothing changes', async () => {
    const { key, account, checkout } = await customer();
    const guest = new FormClient(service);
    for (const path of [KEYS, CREDITS, '/account/usage', LEDGER, `${LEDGER}.csv`, checkout]) {
      expect((await guest.get(path)).location).toContain('/account/sign-in');
    }
    const action = `${KEYS}/${key.id}/revoke`;
    expect((await guest.submit('/account/sign-in', {}, { action })).location).toContain('sign-in');
    expect(await liveKeys(account)).toEqual([key]);
  });

  it('refuses forms without its token, with the token of another user, or from another site', async () => {
    const { client, email, key, account, checkout } = await customer();
    const { client: other } = await customer();
    const tokens = [null, '', 'x'.repeat(43), csrfIn((await other.get(KEYS)).html)];
    const fields = {
      ...{ name: 'x', mode: 'live', credits: '100', ends: 'now' },
      ...{ password: PASSWORD, new_password: 'chosen by eve, sadly', population: 'Male~DE~20-40' },
    };
    for (const action of [
      KEYS,
      `${KEYS}/${key.id}/revoke`,
      `${KEYS}/${key.id}/rotate`,
      `${CREDITS}/buy`,
      `${checkout}/refund`,
      `${SETTINGS}/password`,
      '/account/populations',
    ]) {
      for (const oddity of [...tokens.map((csrf) => ({ csrf })), ...ELSEWHERE]) {
        const answer = await client.submit(KEYS, fields, { action, ...oddity });
        expect([action, oddity, answer.status]).toEqual([action, oddity, 403]);
      }
    }
    expect(await liveKeys(account)).toEqual([key]);
    expect(await listPurchases(service.db, account)).toHaveLength(1);
    const signIn = await new FormClient(service).submit(SIGN_IN, { email, password: PASSWORD });
    expect(signIn.status).toBe(303);
  });

  it('is not signed in or up by forged forms: forms without a session are tied to a cookie', async () => {
    const { email } = await customer();
    const fields = { email, password: PASSWORD, name: 'Eve' };
    for (const page of [SIGN_IN, SIGN_UP, '/account/forgot']) {
      const client = new FormClient(service);
      const send = async (oddity: Oddities) => (await client.submit(page, fields, oddity)).status;
      const eves = csrfIn((await new FormClient(service).get(page)).html);
      expect(await send({ csrf: eves })).toBe(403);
      await client.get(page);
      for (const oddity of [{ csrf: eves }, { csrf: csrfTokenOf('') }, ...ELSEWHERE]) {
        expect([page, oddity, await send(oddity)]).toEqual([page, oddity, 403]);
      }
      expect([page, await send({})]).toEqual([page, page === SIGN_UP ? 200 : 303]);
    }
  });

  it('refuses hidden characters in the names of users and keys', async () => {
    const { client } = await customer();
    const name = 'Ada\u202evoL';
    const fields = { name, email: 'hidden@example.com', password: PASSWORD };
    const user = await new FormClient(service).submit(SIGN_UP, fields);
    const key = await client.submit(KEYS, { name, mode: 'live' });
    for (const { status, html } of [user, key]) {
      expect(status).toBe(422);
      expect(html).toMatch(/id="name-error"[^>]*>[^<]*no control or invisible characters/);
    }
  });

  it('escapes names on every page', async () => {
    const name = `"'><img src=x onerror=alert(1)></title><script>alert(2)</script>`;
    const { client, key, apiKey } = await customer(name);
    const body = { measurement: 'Stature', gender: 'Male', age: 30, percentile: 50 };
    const answer = await service.post('/v1/predict', body, { authorization: `Bearer ${apiKey}` });
    expect(answer.status).toBe(200);
    for (const path of [
      SETTINGS,
      KEYS,
      `${KEYS}/${key.id}/revoke`,
      `${KEYS}/${key.id}/rotate`,
      '/account/usage?by=key',
    ]) {
      const { html, headers } = await client.get(path);
      expect(html, path).toContain('&lt;img src=x');
      expect(html, path).not.toMatch(/<img src=x|<script>alert/);
      expect(headers['content-security-policy']).toContain("script-src 'self'");
      expect(headers['content-security-policy']).not.toContain('unsafe-inline');
      expect(headers['cache-control']).toBe('no-store');
    }
    const email = '"><script>alert(1)</script>@x.example';
    for (const refused of [
      await client.submit(KEYS, { name: `${name}${'x'.repeat(100)}`, mode: 'live' }),
      await new FormClient(service).submit(SIGN_UP, { name, email, password: PASSWORD }),
    ]) {
      expect(refused.status).toBe(422);
      expect(refused.html).toMatch(/value="[^"]*&quot;[^"]*&lt;script>/);
      expect(refused.html).not.toMatch(/<img src=x|<script>/);
    }
  });
});

describe('the webhook', () => {
  it('credits a payment signed by Stripe once; before, the page links to Stripe', async () => {
    const { client, account } = await customer();
    const action = `${CREDITS}/buy`;
    const answer = await client.submit(CREDITS, { mode: 'live', credits: '500' }, { action });
    const [purchase] = await listPurchases(service.db, account);
    const url = `https://checkout.stripe.test/c/${purchase?.sessionId}`;
    expect([answer.status, answer.headers.refresh]).toEqual([200, `0;url=${url}`]);
    expect(answer.html).toContain(`href="${url}"`);
    const session = paidSession(purchase?.sessionId ?? '');
    const { body, signature } = signedEvent('checkout.session.completed', session, stripe);
    const forged = [
      await hook(body, {}),
      await hook(body, { 'stripe-signature': signature.replace(/v1=\w/, 'v1=x') }),
      await hook(Buffer.concat([body, Buffer.from(' ')]), { 'stripe-signature': signature }),
    ];
    expect(forged.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400]);
    expect((await client.get(CREDITS)).html).toContain('not paid yet');
    const answers = await Promise.all(
      [1, 2, 3].map(() => hook(body, { 'stripe-signature': signature })),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    const page = await client.get(`${CREDITS}?purchase=${purchase?.id}`);
    expect(page.html).toContain('We added 500 live credits to your account');
    expect(page.html).toContain('€39.00');
    expect(page.html).toMatch(/>Live<\/th><td[^>]*>500<\/td>/);
  });

  it('reports a chargeback: the page shows the debt, and live keys get 402 until it is paid', async () => {
    const { client, account, apiKey } = await customer();
    const action = `${CREDITS}/buy`;
    const buy = async (credits: number) => {
      await client.submit(CREDITS, { mode: 'live', credits: `${credits}` }, { action });
      const [purchase] = await listPurchases(service.db, account);
      const { sessionId = '', price } = purchase ?? {};
      await report('checkout.session.completed', {
        ...paidSession(sessionId, { amount_total: price?.amountMinor }),
      });
      return sessionId;
    };
    const report = async (type: string, object: object) => {
      const { body, signature } = signedEvent(type, object, stripe);
      expect((await hook(body, { 'stripe-signature': signature })).statusCode).toBe(200);
    };
    const person = { measurement: 'Stature', gender: 'Male', age: 30 };
    const percentiles = Array.from({ length: 20 }, (_, index) => index + 1);
    const ask = () =>
      service.post(
        '/v1/predict/range',
        { ...person, percentiles },
        { authorization: `Bearer ${apiKey}` },
      );
    const session = await buy(500);
    expect((await ask()).status).toBe(200);
    await report('charge.dispute.funds_withdrawn', refundOf(session, 'dp_1', 3900));
    const refused = await ask();
    expect([refused.status, refused.body.code]).toEqual([402, 'insufficient_credits']);
    expect(refused.body.detail).toContain('This account owes 20 credits');
    expect(refused.body.detail).toContain('The next purchase pays it first.');
    expect((await client.get(CREDITS)).html).toContain('You owe 20 credits');
    await buy(100);
    const page = (await client.get(CREDITS)).html;
    expect(page).not.toContain('You owe');
    expect(page).toMatch(/>Live<\/th><td[^>]*>80<\/td>/);
    expect((await ask()).status).toBe(200);
    expect((await client.get(LEDGER)).html).toContain('Debt of a reversed payment paid');
  });

  it('refuses a body over the size limit', async () => {
    const answer = await hook(Buffer.alloc(600 * 1024, 0x20), { 'stripe-signature': 't=1,v1=0' });
    expect([answer.statusCode, answer.json().code]).toEqual([413, 'validation_error']);
    expect((await service.http.inject({ url: '/webhooks/stripe' })).statusCode).toBe(405);
  });
});
