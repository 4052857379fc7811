import { describe, expect, it } from 'vitest';
import { createKey } from '../../src/accounts/keys.js';
import { newToken } from '../../src/accounts/secret-token.js';
import type { Schema } from '../../src/database/schema.js';
import { accountOf, FormClient, mailed, PASSWORD, signedUp } from '../support/form-client.js';
import { quickPasswords } from '../support/quick-passwords.js';
import { startService } from '../support/service.js';
import { useService } from '../support/use-service.js';

const COOKIE = 'vitruvia_session';
const SETTINGS = '/account/settings';
const SIGN_IN = '/account/sign-in';
const SIGN_UP = '/account/sign-up';
const FORGOT = '/account/forgot';
const EVE = { name: 'Eve', password: 'evil password 99' };
const MINUTE_MS = 60_000;

let nowMs = Date.now();
const passwords = quickPasswords();
const service = useService({ clock: () => nowMs, passwords, trustProxy: true });

let clients = 0;
/** A browser with an IP address of its own. */
function guest({ cookie, ...headers }: Record<string, string> = {}): FormClient {
  const number = ++clients;
  const address = `10.0.${number >> 8}.${number & 255}`;
  const client = new FormClient(service, { address, headers });
  if (cookie !== undefined) client.cookies.set(COOKIE, cookie);
  return client;
}

/** A new user, who is signed in. */
async function newcomer(name = 'Ada') {
  const client = guest();
  const email = `ada${clients}@example.com`;
  await signedUp(service, email, { name, client });
  return { email, client, cookie: client.cookies.get(COOKIE) ?? '' };
}

const signIn = (client: FormClient, email: string, password = PASSWORD) =>
  client.submit(SIGN_IN, { email, password });

/** Status that a new browser gets for a password. */
const signInStatus = async (email: string, password = PASSWORD) =>
  (await signIn(guest(), email, password)).status;

/** All rows of some tables, as text. */
async function stored(tables: readonly (keyof Schema)[]): Promise<string> {
  const rows = tables.map((table) => service.db.selectFrom(table).selectAll().execute());
  return JSON.stringify(await Promise.all(rows));
}

const isIn = async (client: FormClient) => (await client.get(SETTINGS)).status === 200;

describe('sessions', () => {
  it('cannot be fixated: a token chosen by an attacker never becomes a session', async () => {
    const { email } = await newcomer();
    const planted = newToken();
    const client = guest({ cookie: planted });
    expect(await isIn(client)).toBe(false);
    expect((await signIn(client, email)).location).toBe('/account');
    expect(client.cookies.get(COOKIE)).not.toBe(planted);
    expect(await isIn(guest({ cookie: planted }))).toBe(false);
  });

  it('are new at sign-in: the previous session of the browser ends', async () => {
    const { email, client, cookie } = await newcomer();
    // An attacker may have planted a session in the victim's browser. The session ends there, too.
    const [attacker, shared] = [guest({ cookie }), guest({ cookie })];
    expect(await isIn(attacker)).toBe(true);
    const again = await client.submit(SETTINGS, {}, { action: '/account/sign-out' });
    expect(again.location).toContain(SIGN_IN);
    expect([await isIn(attacker), await isIn(shared)]).toEqual([false, false]);
    await signIn(client, email);
    expect(await isIn(client)).toBe(true);
  });

  it('all end when the password changes, and this browser gets a new one', async () => {
    const { email, client, cookie } = await newcomer();
    const other = guest();
    await signIn(other, email);
    const fields = { password: PASSWORD, new_password: 'a quite other one' };
    const answer = await client.submit(SETTINGS, fields, { action: `${SETTINGS}/password` });
    expect(answer.location).toBe(`${SETTINGS}?done=password`);
    expect(client.cookies.get(COOKIE)).not.toBe(cookie);
    const thief = guest({ cookie });
    expect([await isIn(client), await isIn(other), await isIn(thief)]).toEqual([
      true,
      false,
      false,
    ]);
    expect((await signIn(other, email)).status).toBe(422);
  });

  it('are listed, and only their user can end them', async () => {
    const { email, client } = await newcomer('Owner');
    const other = guest({ 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' });
    await signIn(other, email);
    const page = await client.get(SETTINGS);
    expect(page.html).toContain('Firefox on Linux');
    const [id = ''] = /ses_\w+/.exec(page.html) ?? [];
    const { client: eve } = await newcomer('Eve');
    const end = { action: `${SETTINGS}/sessions` };
    await eve.submit(SETTINGS, { session: id }, end);
    expect(await isIn(other)).toBe(true);
    await client.submit(SETTINGS, { session: id }, end);
    expect([await isIn(other), await isIn(client)]).toEqual([false, true]);
  });

  it('end after a week without use, and after 30 days in any case', async () => {
    const { client } = await newcomer();
    const { client: idle } = await newcomer();
    const day = 24 * 60 * MINUTE_MS;
    for (let days = 6; days < 30; days += 6) {
      nowMs += 6 * day;
      expect(await isIn(client)).toBe(true);
    }
    expect(await isIn(idle)).toBe(false);
    nowMs += 7 * day - MINUTE_MS;
    expect(await isIn(client)).toBe(false);
  });

  it('use a cookie that scripts, other sites and insecure connections cannot read', async () => {
    const { email } = await newcomer();
    const [cookie = ''] = (await signIn(guest(), email)).setCookies;
    expect(cookie).toMatch(
      /^vitruvia_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const https = { headers: { 'x-forwarded-proto': 'https', origin: 'https://localhost' } };
    const secure = guest({ 'x-forwarded-proto': 'https' });
    const [hostCookie = ''] = (await secure.submit(SIGN_IN, { email, password: PASSWORD }, https))
      .setCookies;
    expect(hostCookie).toMatch(
      /^__Host-vitruvia_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    // A cookie without the prefix is ignored, because a sibling domain could have set it.
    secure.cookies.set(COOKIE, secure.cookies.get(`__Host-${COOKIE}`) ?? '');
    expect(await isIn(secure)).toBe(true);
    secure.cookies.delete(`__Host-${COOKIE}`);
    expect(await isIn(secure)).toBe(false);
  });

  it('use an https-only cookie if the public URL is https, whatever the proxy says', async () => {
    const behind = await startService({ publicUrl: 'https://vitruvia.example' });
    const client = await signedUp(behind, 'behind@example.com');
    expect(await isIn(client)).toBe(true);
    expect([...client.cookies.keys()]).toEqual([`__Host-${COOKIE}`]);
    await behind.close();
  });

  it('leave no token in the database or in the log', async () => {
    const { email, cookie } = await newcomer();
    const rows = await stored(['sessions', 'people', 'sign_ups', 'email_tokens', 'attempts']);
    const kept = rows + service.logLines.join('');
    expect(kept).toContain(email);
    const { token } = await mailed(service, email);
    for (const secret of [cookie, PASSWORD, token]) expect(kept).not.toContain(secret);
  });
});

describe('a sign-in', () => {
  it('cannot redirect to another site', async () => {
    const { email } = await newcomer();
    const placeAfter = async (next: string) =>
      (await guest().submit(SIGN_IN, { email, password: PASSWORD, next })).location;
    for (const next of [
      'https://evil.example/',
      '//evil.example/account/',
      '/\\evil.example',
      '/docs',
      '/explorer',
      '//evil.example/explore',
    ]) {
      expect(await placeAfter(next)).toBe('/account');
    }
    const client = guest();
    const asked = await client.get('/account/settings?done=email');
    expect(asked.location).toBe('/account/sign-in?next=%2Faccount%2Fsettings%3Fdone%3Demail');
    const page = await client.get(asked.location ?? '');
    expect(page.html).toContain('value="/account/settings?done=email"');
    for (const own of [
      '/account/settings?done=email',
      '/explore/fit?product=bed&p=Male~NL~18-65',
    ]) {
      expect(await placeAfter(own)).toBe(own);
    }
  });
});

describe('password guessing', () => {
  const guess = async (client: FormClient, email: string) =>
    (await signIn(client, email, 'not the password')).status;

  it('is blocked after ten attempts from one address, even for the right password, until the window ends', async () => {
    const { email } = await newcomer();
    const client = guest();
    for (let tries = 0; tries < 10; tries++) expect(await guess(client, email)).toBe(422);
    const hashed = passwords.hashes;
    const blocked = await signIn(client, email);
    expect(blocked.status).toBe(429);
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(60);
    expect(passwords.hashes).toBe(hashed);
    // The user can still sign in from another address.
    expect(await signInStatus(email)).toBe(303);
    nowMs += 15 * MINUTE_MS;
    expect((await signIn(client, email)).status).toBe(303);
  });

  it('from many addresses is blocked, until the window ends or the user resets the password', async () => {
    const { email, client: owner } = await newcomer();
    for (let tries = 0; tries < 50; tries++) await guess(guest(), email);
    expect(await guess(guest(), email)).toBe(429);
    await owner.submit(FORGOT, { email });
    const { link, token } = await mailed(service, email);
    const reset = { token, new_password: 'quite another one' };
    const back = guest();
    expect((await back.submit(link, reset)).location).toBe('/account/settings?done=password');
    // The reset signed the user in. Further guesses do not change this.
    for (let tries = 0; tries < 50; tries++) await guess(guest(), email);
    expect([await isIn(back), await isIn(owner)]).toEqual([true, false]);
    nowMs += 60 * MINUTE_MS;
    expect((await signIn(guest(), email, reset.new_password)).location).toBe('/account');
  });

  it('ends with a new password on the page that asked to sign in, and on no other site', async () => {
    const { email } = await newcomer();
    const client = guest();
    const resetLink = async (next: string) => {
      await client.submit(FORGOT, { email, next });
      return new URL((await mailed(service, email)).link, 'http://x').searchParams;
    };
    const away = await resetLink('https://example.org/explore/person');
    expect([...away.keys()]).toEqual(['token']);
    nowMs += 60 * MINUTE_MS;
    const next = '/explore/person?known=Stature~1700';
    const signInPage = await client.get(`${SIGN_IN}?next=${encodeURIComponent(next)}`);
    const forgot = `${FORGOT}?next=${encodeURIComponent(next)}`;
    expect(signInPage.html).toContain(`href="${forgot}"`);
    expect((await client.get(forgot)).html).toContain(`name="next" value="${next}"`);
    const link = await resetLink(next);
    const path = `/account/reset?${link}`;
    expect((await client.get(path)).html).toContain(`name="next" value="${next}"`);
    const fields = { ...Object.fromEntries(link), new_password: 'quite another one' };
    expect((await client.submit(path, fields)).location).toBe(next);
  });

  it('is also blocked for an attacker with a stolen session', async () => {
    const { client } = await newcomer();
    const remove = async (password: string) =>
      (await client.submit(SETTINGS, { password }, { action: `${SETTINGS}/delete` })).status;
    for (let tries = 0; tries < 10; tries++) expect(await remove('guess')).toBe(422);
    expect(await remove(PASSWORD)).toBe(429);
    expect(await isIn(client)).toBe(true);
  });
});

describe('the existence of an account', () => {
  /** All that an answer reveals, without the token and the cookie of the form. */
  async function answerTo(page: string, fields: Record<string, string>) {
    const before = passwords.hashes;
    const { status, location, html } = await guest().submit(page, fields);
    await service.emailsSent();
    const text = html
      .replaceAll(fields.email ?? '', 'EMAIL')
      .replaceAll(/value="[\w.-]{43,}"/g, '')
      .replaceAll(/vt_test_\w{40}/g, 'KEY');
    return { status, location, text, hashes: passwords.hashes - before };
  }

  it.each([
    [SIGN_IN, { password: 'not the password' }],
    [SIGN_UP, { password: PASSWORD, name: 'Eve' }],
    [FORGOT, {}],
  ])('is not revealed by %s: same answer, same work', async (page, fields) => {
    const { email } = await newcomer();
    const known = await answerTo(page, { ...fields, email });
    const unknown = await answerTo(page, { ...fields, email: 'nobody@example.com' });
    expect(known).toEqual(unknown);
    expect(known.hashes).toBe(page === FORGOT ? 0 : 1);
  });

  it('is revealed only to its owner: a second sign-up sends an e-mail and does not touch the account', async () => {
    const { email } = await newcomer('First');
    await guest().submit(SIGN_UP, { ...EVE, email });
    await service.emailsSent();
    const sent = service.emails.filter(({ to }) => to === email).at(-1);
    expect(sent?.subject).toBe('You already have an account');
    expect(sent?.link).toBe('http://localhost/account/sign-in');
    expect(await signInStatus(email, EVE.password)).toBe(422);
  });

  it('cannot be used to flood an address with e-mails', async () => {
    const { email } = await newcomer();
    const before = service.emails.length;
    for (let tries = 0; tries < 10; tries++) await guest().submit(FORGOT, { email });
    await service.emailsSent();
    expect(service.emails.length - before).toBe(3);
  });

  it('does not let one network use up the e-mails of an address', async () => {
    const email = 'wanted@example.com';
    for (let tries = 0; tries < 6; tries++) {
      const sameNetwork = new FormClient(service, { address: '10.9.0.1' });
      await sameNetwork.submit(SIGN_UP, { ...EVE, email });
    }
    await service.emailsSent();
    expect(service.emails.filter(({ to }) => to === email)).toHaveLength(3);
    expect(await isIn(await signedUp(service, email, { client: guest() }))).toBe(true);
  });
});

describe('links in e-mails', () => {
  it('to choose a new password work once, for an hour, and for nothing else', async () => {
    const { email } = await newcomer();
    const client = guest();
    const ask = async () => {
      await client.submit(FORGOT, { email });
      return mailed(service, email);
    };
    const first = await ask();
    const second = await ask();
    const reset = async ({ link, token }: typeof first, password = 'quite another one') =>
      (await client.submit(link, { token, new_password: password })).status;
    expect(await reset(first)).toBe(410);
    expect(await reset(second, 'too short')).toBe(422);
    const fields = { token: second.token, password: PASSWORD };
    expect((await client.submit(`/account/verify?token=${second.token}`, fields)).status).toBe(410);
    expect(await reset(second)).toBe(303);
    expect(await reset(second)).toBe(410);
    nowMs += 60 * MINUTE_MS;
    const late = await ask();
    nowMs += 60 * MINUTE_MS;
    for (const token of [late.token, newToken(), '']) {
      expect(await reset({ ...late, token })).toBe(410);
    }
  });

  it('to confirm a new address work for their user only', async () => {
    const { email, client } = await newcomer();
    const { client: eve } = await newcomer('Eve');
    const fresh = `new-${email}`;
    const fields = { email: fresh, password: PASSWORD };
    await client.submit(SETTINGS, fields, { action: `${SETTINGS}/email` });
    const { link, token } = await mailed(service, fresh);
    expect((await eve.submit(link, { token })).status).toBe(410);
    expect((await guest().get(link)).location).toContain(SIGN_IN);
    expect((await client.submit(link, { token })).location).toBe(`${SETTINGS}?done=email`);
    expect((await client.submit(link, { token })).status).toBe(410);
    await service.emailsSent();
    expect(service.emails.at(-1)).toMatchObject({
      to: email,
      subject: 'Your e-mail address was changed',
    });
    expect([await signInStatus(fresh), await signInStatus(email)]).toEqual([303, 422]);
  });
});

describe('a deleted account', () => {
  it('rejects sign-ins and keys, and leaves no personal data', async () => {
    const { email, client, cookie } = await newcomer('Grace Hopper');
    const account = await accountOf(service, email);
    const { apiKey } = await createKey(service.db, account, 'test', 'Grace’s laptop');
    const body = { measurement: 'Stature', gender: 'Male', age: 30, percentile: 50 };
    const call = () => service.post('/v1/predict', body, { authorization: `Bearer ${apiKey}` });
    expect((await call()).status).toBe(200);
    const remove = (password: string) =>
      client.submit(SETTINGS, { password }, { action: `${SETTINGS}/delete` });
    expect((await remove('wrong')).status).toBe(422);
    expect((await remove(PASSWORD)).location).toBe('/account/sign-in?done=deleted');
    expect(await isIn(guest({ cookie }))).toBe(false);
    expect(await signInStatus(email)).toBe(422);
    expect((await call()).status).toBe(401);
    await expect(createKey(service.db, account, 'live')).rejects.toMatchObject({
      reason: 'account_closed',
    });
    const kept = await stored([
      ...(['accounts', 'api_keys', 'sessions', 'people', 'sign_ups', 'email_tokens'] as const),
    ]);
    for (const trace of [email, 'Grace', cookie]) expect(kept).not.toContain(trace);
    const ledger = await service.db
      .selectFrom('ledger_entries')
      .select('kind')
      .where('account_id', '=', account)
      .execute();
    // The test credits of the sign-up, and the call.
    expect(ledger.map(({ kind }) => kind).sort()).toEqual(['grant', 'usage']);
  });
});

describe('named populations', () => {
  const PATH = '/account/populations';

  it('are those of the session, and change only with its token', async () => {
    const { client } = await newcomer();
    const { client: other } = await newcomer();
    const read = async (of: FormClient) => JSON.parse((await of.get(PATH)).html);
    const { csrf, populations } = await read(client);
    expect(populations).toEqual([]);
    const save = (population: string, by = client) =>
      by.submit(PATH, { name: ' Pilots ', population }, { csrf });
    const pilots = 'Male~DE,FR~20-40~nude~Divers';
    expect((await save(pilots, other)).status).toBe(403);
    expect((await save(pilots)).status).toBe(200);
    expect((await read(client)).populations).toEqual([
      { name: 'Pilots', population: 'Male~DE,FR~20-40~nude' },
    ]);
    expect((await read(other)).populations).toEqual([]);
    const unread = await save('Male~~old');
    expect([unread.status, JSON.parse(unread.html).detail]).toEqual([
      422,
      'The population has no countries or no ages.',
    ]);
    const removed = await client.submit(`${PATH}/remove`, { name: 'Pilots' }, { csrf });
    expect(JSON.parse(removed.html).populations).toEqual([]);
    expect((await guest().get(PATH)).status).toBe(303);
  });
});
