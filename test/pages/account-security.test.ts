import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../src/accounts/keys.js';
import { csrfTokenOf, newToken } from '../../src/accounts/secret-token.js';
import { csrfIn, FormClient, linkTo, PASSWORD, signedUp } from '../support/form-client.js';
import { quickPasswords } from '../support/quick-passwords.js';
import { startService, type TestService } from '../support/service.js';

const COOKIE = 'vitruvia_session';
const SETTINGS = '/account/settings';
const SIGN_IN = '/account/sign-in';
const MINUTE_MS = 60_000;

let service: TestService;
let nowMs = Date.now();
const passwords = quickPasswords();
beforeAll(async () => {
  service = await startService({ clock: () => nowMs, passwords, trustProxy: true });
});
afterAll(() => service.close());

let users = 0;
/** A new user with an own IP address. */
async function newcomer(name = 'Ada') {
  const number = ++users;
  const email = `ada${number}@example.com`;
  const client = new FormClient(service, { address: `10.0.0.${number}` });
  await signedUp(service, email, { name, client });
  return { email, client };
}

function guest(number: number, headers: Record<string, string> = {}): FormClient {
  return new FormClient(service, { address: `10.9.0.${number}`, headers });
}

const isIn = async (client: FormClient) => (await client.get(SETTINGS)).status === 200;

describe('sessions', () => {
  it('cannot be fixated: a token chosen by an attacker never becomes a session', async () => {
    const { email } = await newcomer();
    const client = guest(1);
    const planted = newToken();
    client.cookies.set(COOKIE, planted);
    expect(await isIn(client)).toBe(false);
    const answer = await client.submit(SIGN_IN, { email, password: PASSWORD });
    expect(answer.location).toBe('/account');
    expect(client.cookies.get(COOKIE)).not.toBe(planted);
    const attacker = guest(2);
    attacker.cookies.set(COOKIE, planted);
    expect(await isIn(attacker)).toBe(false);
  });

  it('are new at sign-in: the previous session of the browser ends', async () => {
    const { email, client } = await newcomer();
    const attacker = guest(3);
    attacker.cookies.set(COOKIE, client.cookies.get(COOKIE) ?? '');
    expect(await isIn(attacker)).toBe(true);
    // An attacker may have planted a session in the victim's browser; it ends there too.
    const shared = guest(4);
    shared.cookies.set(COOKIE, attacker.cookies.get(COOKIE) ?? '');
    const again = await client.submit(SETTINGS, {}, { action: '/account/sign-out' });
    expect(again.location).toContain(SIGN_IN);
    expect(await isIn(attacker)).toBe(false);
    expect(await isIn(shared)).toBe(false);
    await client.submit(SIGN_IN, { email, password: PASSWORD });
    expect(await isIn(client)).toBe(true);
  });

  it('all end when the password changes, and this browser gets a new one', async () => {
    const { email, client } = await newcomer();
    const other = guest(5);
    await other.submit(SIGN_IN, { email, password: PASSWORD });
    const before = client.cookies.get(COOKIE);
    const fields = { password: PASSWORD, new_password: 'a quite other one' };
    const answer = await client.submit(SETTINGS, fields, { action: `${SETTINGS}/password` });
    expect(answer.location).toBe(`${SETTINGS}?done=password`);
    expect(client.cookies.get(COOKIE)).not.toBe(before);
    expect([await isIn(client), await isIn(other)]).toEqual([true, false]);
    const thief = guest(6);
    thief.cookies.set(COOKIE, before ?? '');
    expect(await isIn(thief)).toBe(false);
    const old = await other.submit(SIGN_IN, { email, password: PASSWORD });
    expect(old.status).toBe(422);
  });

  it('are listed, and only their user can end them', async () => {
    const { email, client } = await newcomer('Owner');
    const other = guest(7, { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' });
    await other.submit(SIGN_IN, { email, password: PASSWORD });
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
    const plain = guest(8);
    const [cookie = ''] = (await plain.submit(SIGN_IN, { email, password: PASSWORD })).setCookies;
    expect(cookie).toMatch(
      /^vitruvia_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const https = { headers: { 'x-forwarded-proto': 'https', origin: 'https://localhost' } };
    const secure = guest(9, { 'x-forwarded-proto': 'https' });
    const [hostCookie = ''] = (await secure.submit(SIGN_IN, { email, password: PASSWORD }, https))
      .setCookies;
    expect(hostCookie).toMatch(
      /^__Host-vitruvia_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    // A cookie without the prefix is ignored: a sibling domain could have set it.
    secure.cookies.set(COOKIE, secure.cookies.get(`__Host-${COOKIE}`) ?? '');
    expect(await isIn(secure)).toBe(true);
    secure.cookies.delete(`__Host-${COOKIE}`);
    expect(await isIn(secure)).toBe(false);
  });

  it('use an https-only cookie if the public URL is https, whatever the proxy says', async () => {
    const behind = await startService({ publicUrl: 'https://vitruvia.example' });
    const client = await signedUp(behind, 'behind@example.com', { client: new FormClient(behind) });
    const again = await client.get('/account/settings');
    expect(again.status).toBe(200);
    expect([...client.cookies.keys()]).toEqual([`__Host-${COOKIE}`]);
    await behind.close();
  });

  it('leave no token in the database or in the log', async () => {
    const { email, client } = await newcomer();
    const token = client.cookies.get(COOKIE) ?? 'none';
    const tables = ['sessions', 'people', 'sign_ups', 'email_tokens', 'attempts'] as const;
    const rows = await Promise.all(
      tables.map((table) => service.db.selectFrom(table).selectAll().execute()),
    );
    const kept = JSON.stringify(rows) + service.logLines.join('');
    expect(kept).toContain(email);
    expect(kept).not.toContain(token);
    expect(kept).not.toContain(PASSWORD);
    expect(kept).not.toContain(
      new URL(linkTo(service, email), 'http://x').searchParams.get('token'),
    );
  });
});

describe('forged forms', () => {
  const wrong = { password: PASSWORD, new_password: 'chosen by eve, sadly' };
  const form = { action: `${SETTINGS}/password` };

  it('are refused without a token, with a wrong token and with the token of another session', async () => {
    const { email, client } = await newcomer();
    const { client: eve } = await newcomer('Eve');
    const eves = csrfIn((await eve.get(SETTINGS)).html);
    for (const csrf of [null, '', 'x'.repeat(43), eves]) {
      expect((await client.submit(SETTINGS, wrong, { ...form, csrf })).status).toBe(403);
    }
    expect((await guest(20).submit(SIGN_IN, { email, password: PASSWORD })).status).toBe(303);
  });

  it.each([
    ['cross-site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['same-site', { 'sec-fetch-site': 'same-site', origin: 'http://evil.localhost' }],
    [
      'older browsers: Origin only',
      { 'sec-fetch-site': undefined, origin: 'https://evil.example' },
    ],
    ['an opaque origin', { 'sec-fetch-site': undefined, origin: 'null' }],
  ])('are refused from other sites even with the right token: %s', async (_name, headers) => {
    const { client } = await newcomer();
    const answer = await client.submit(SETTINGS, wrong, { ...form, headers });
    expect(answer.status).toBe(403);
    const other = guest(21);
    const signIn = await other.submit(
      SIGN_IN,
      { email: 'a@b.example', password: 'x' },
      { headers },
    );
    expect(signIn.status).toBe(403);
  });

  it('cannot sign anybody in or up: forms without a session are tied to a cookie', async () => {
    const { email } = await newcomer();
    const fields = { email, password: PASSWORD, name: 'Eve' };
    for (const page of [SIGN_IN, '/account/sign-up', '/account/forgot']) {
      const client = guest(22);
      const eves = csrfIn((await guest(23).get(page)).html);
      expect((await client.submit(page, fields, { csrf: eves })).status).toBe(403);
      await client.get(page);
      expect((await client.submit(page, fields, { csrf: eves })).status).toBe(403);
      expect((await client.submit(page, fields, { csrf: csrfTokenOf('') })).status).toBe(403);
      const own = await client.submit(page, fields);
      expect([page, own.status]).toEqual([page, page === '/account/sign-up' ? 200 : 303]);
    }
  });
});

describe('user input', () => {
  it('is escaped on every page', async () => {
    const name = `<img src=x onerror=alert(1)>"'`;
    const { client } = await newcomer(name);
    const { html, headers } = await client.get(SETTINGS);
    expect(html).toContain('&lt;img src=x onerror=alert(1)>');
    expect(html).not.toContain('<img src=x');
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    expect(headers['content-security-policy']).not.toContain('unsafe-inline');
    expect(headers['cache-control']).toBe('no-store');
    const fields = { name, email: '"><script>alert(1)</script>@x.example', password: PASSWORD };
    const refused = await guest(30).submit('/account/sign-up', fields);
    expect(refused.status).toBe(422);
    expect(refused.html).not.toContain('<script>');
    expect(refused.html).toContain('value="&quot;>&lt;script>');
  });

  it('cannot redirect to another site after sign-in', async () => {
    const { email } = await newcomer();
    for (const next of [
      'https://evil.example/',
      '//evil.example/account/',
      '/\\evil.example',
      '/docs',
      '/explorer',
      '//evil.example/explore',
    ]) {
      const client = guest(31);
      const answer = await client.submit(SIGN_IN, { email, password: PASSWORD, next });
      expect(answer.location).toBe('/account');
    }
    const client = guest(32);
    const asked = await client.get('/account/settings?done=email');
    expect(asked.location).toBe('/account/sign-in?next=%2Faccount%2Fsettings%3Fdone%3Demail');
    const page = await client.get(asked.location ?? '');
    expect(page.html).toContain('value="/account/settings?done=email"');
    const fields = { email, password: PASSWORD, next: '/account/settings?done=email' };
    expect((await client.submit(SIGN_IN, fields)).location).toBe(fields.next);
    const screen = '/explore/fit?product=bed&p=Male~NL~18-65';
    const back = await guest(33).submit(SIGN_IN, { email, password: PASSWORD, next: screen });
    expect(back.location).toBe(screen);
  });
});

describe('password guessing', () => {
  const guess = (client: FormClient, email: string) =>
    client.submit(SIGN_IN, { email, password: 'not the password' });

  it('is blocked after ten attempts from one address, even for the right password, until the window ends', async () => {
    const { email } = await newcomer();
    const client = guest(40);
    for (let tries = 0; tries < 10; tries++) expect((await guess(client, email)).status).toBe(422);
    const hashed = passwords.hashes;
    const blocked = await client.submit(SIGN_IN, { email, password: PASSWORD });
    expect(blocked.status).toBe(429);
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(60);
    expect(passwords.hashes).toBe(hashed);
    // The user can still sign in from another address.
    expect((await guest(41).submit(SIGN_IN, { email, password: PASSWORD })).status).toBe(303);
    nowMs += 15 * MINUTE_MS;
    expect((await client.submit(SIGN_IN, { email, password: PASSWORD })).status).toBe(303);
  });

  it('from many addresses is blocked, until the window ends or the user resets the password', async () => {
    const { email, client: owner } = await newcomer();
    for (let tries = 0; tries < 50; tries++) await guess(guest(50 + tries), email);
    expect((await guess(guest(101), email)).status).toBe(429);
    await owner.submit('/account/forgot', { email });
    await service.emailsSent();
    const link = linkTo(service, email);
    const token = new URL(link, 'http://x').searchParams.get('token') ?? '';
    const reset = { token, new_password: 'quite another one' };
    const back = guest(102);
    expect((await back.submit(link, reset)).location).toBe('/account/settings?done=password');
    // The reset signed the user in; further guesses do not change that.
    for (let tries = 0; tries < 50; tries++) await guess(guest(150 + tries), email);
    expect(await isIn(back)).toBe(true);
    expect(await isIn(owner)).toBe(false);
    nowMs += 60 * MINUTE_MS;
    const again = await guest(103).submit(SIGN_IN, { email, password: reset.new_password });
    expect(again.location).toBe('/account');
  });

  it('ends with a new password on the page that asked to sign in, and on no other site', async () => {
    const { email } = await newcomer();
    const client = guest(104);
    const resetLink = async (next: string) => {
      await client.submit('/account/forgot', { email, next });
      await service.emailsSent();
      return new URL(linkTo(service, email), 'http://x').searchParams;
    };
    const away = await resetLink('https://example.org/explore/person');
    expect([...away.keys()]).toEqual(['token']);
    nowMs += 60 * MINUTE_MS;
    const next = '/explore/person?known=Stature~1700';
    const signIn = await client.get(`${SIGN_IN}?next=${encodeURIComponent(next)}`);
    const forgot = `/account/forgot?next=${encodeURIComponent(next)}`;
    expect(signIn.html).toContain(`href="${forgot}"`);
    expect((await client.get(forgot)).html).toContain(`name="next" value="${next}"`);
    const link = await resetLink(next);
    const path = `/account/reset?${link}`;
    expect((await client.get(path)).html).toContain(`name="next" value="${next}"`);
    const fields = { ...Object.fromEntries(link), new_password: 'quite another one' };
    expect((await client.submit(path, fields)).location).toBe(next);
  });

  it('is also blocked for an attacker with a stolen session', async () => {
    const { client } = await newcomer();
    const remove = { action: `${SETTINGS}/delete` };
    for (let tries = 0; tries < 10; tries++) {
      const answer = await client.submit(SETTINGS, { password: 'guess' }, remove);
      expect(answer.status).toBe(422);
    }
    expect((await client.submit(SETTINGS, { password: PASSWORD }, remove)).status).toBe(429);
    expect(await isIn(client)).toBe(true);
  });
});

describe('the existence of an account', () => {
  /** Everything an answer reveals, without the form's own token and cookie. */
  async function answerTo(page: string, fields: Record<string, string>, number: number) {
    const client = guest(number);
    const before = passwords.hashes;
    const { status, location, html } = await client.submit(page, fields);
    await service.emailsSent();
    const text = html
      .replaceAll(fields.email ?? '', 'EMAIL')
      .replaceAll(/value="[\w.-]{43,}"/g, '')
      .replaceAll(/vt_test_\w{40}/g, 'KEY');
    return { status, location, text, hashes: passwords.hashes - before };
  }

  it.each([
    ['/account/sign-in', { password: 'not the password' }],
    ['/account/sign-up', { password: PASSWORD, name: 'Eve' }],
    ['/account/forgot', {}],
  ])('is not revealed by %s: same answer, same work', async (page, fields) => {
    const { email } = await newcomer();
    const known = await answerTo(page, { ...fields, email }, 110);
    const unknown = await answerTo(page, { ...fields, email: 'nobody@example.com' }, 111);
    expect(known).toEqual(unknown);
    expect(known.hashes).toBe(page === '/account/forgot' ? 0 : 1);
  });

  it('is revealed only to its owner: a second sign-up sends an e-mail and does not touch the account', async () => {
    const { email } = await newcomer('First');
    const eve = guest(112);
    await eve.submit('/account/sign-up', { name: 'Eve', email, password: 'evil password 99' });
    await service.emailsSent();
    const sent = service.emails.filter(({ to }) => to === email).at(-1);
    expect(sent?.subject).toBe('You already have an account');
    expect(sent?.link).toBe('http://localhost/account/sign-in');
    const back = await guest(113).submit(SIGN_IN, { email, password: 'evil password 99' });
    expect(back.status).toBe(422);
  });

  it('cannot be used to flood an address with e-mails', async () => {
    const { email } = await newcomer();
    const before = service.emails.length;
    for (let number = 120; number < 130; number++) {
      await guest(number).submit('/account/forgot', { email });
    }
    await service.emailsSent();
    expect(service.emails.length - before).toBe(3);
  });

  it('does not let one network use up the e-mails of an address', async () => {
    const email = 'wanted@example.com';
    const fields = { email, name: 'Eve', password: 'evil password 99' };
    for (let tries = 0; tries < 6; tries++) await guest(131).submit('/account/sign-up', fields);
    await service.emailsSent();
    expect(service.emails.filter(({ to }) => to === email)).toHaveLength(3);
    expect(await isIn(await signedUp(service, email, { client: guest(132) }))).toBe(true);
  });
});

describe('links in e-mails', () => {
  it('to choose a new password work once, for an hour, and for nothing else', async () => {
    const { email } = await newcomer();
    const client = guest(140);
    const ask = async () => {
      await client.submit('/account/forgot', { email });
      await service.emailsSent();
      const link = linkTo(service, email);
      return { link, token: new URL(link, 'http://x').searchParams.get('token') ?? '' };
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
    expect(await reset(late)).toBe(410);
    expect(await reset({ ...late, token: newToken() })).toBe(410);
    expect(await reset({ ...late, token: '' })).toBe(410);
  });

  it('to confirm a sign-up need the password of the same sign-up', async () => {
    const email = 'victim@example.com';
    const eve = guest(141);
    await eve.submit('/account/sign-up', { name: 'Eve', email, password: 'evil password 99' });
    await service.emailsSent();
    const link = linkTo(service, email);
    const token = new URL(link, 'http://x').searchParams.get('token') ?? '';
    const victim = guest(142);
    const wrong = await victim.submit(link, { token, password: PASSWORD });
    expect(wrong.status).toBe(422);
    expect((await victim.submit(link, { token })).status).toBe(422);
    // Until the confirmation, nobody can sign in: the account does not hold the address.
    const early = await guest(146).submit(SIGN_IN, { email, password: 'evil password 99' });
    expect(early.status).toBe(422);
    await signedUp(service, email, { client: victim });
    expect(await isIn(victim)).toBe(true);
    const used = await eve.submit(link, { token, password: 'evil password 99' });
    expect(used.status).toBe(410);
  });

  it('to confirm a new address work for their user only', async () => {
    const { email, client } = await newcomer();
    const { client: eve } = await newcomer('Eve');
    const fresh = `new-${email}`;
    const fields = { email: fresh, password: PASSWORD };
    await client.submit(SETTINGS, fields, { action: `${SETTINGS}/email` });
    await service.emailsSent();
    const link = linkTo(service, fresh);
    const token = new URL(link, 'http://x').searchParams.get('token') ?? '';
    expect((await eve.submit(link, { token })).status).toBe(410);
    expect((await guest(143).get(link)).location).toContain(SIGN_IN);
    expect((await client.submit(link, { token })).location).toBe(`${SETTINGS}?done=email`);
    expect((await client.submit(link, { token })).status).toBe(410);
    await service.emailsSent();
    expect(service.emails.at(-1)).toMatchObject({
      to: email,
      subject: 'Your e-mail address was changed',
    });
    const again = await guest(144).submit(SIGN_IN, { email: fresh, password: PASSWORD });
    expect(again.status).toBe(303);
    expect((await guest(145).submit(SIGN_IN, { email, password: PASSWORD })).status).toBe(422);
  });
});

describe('a deleted account', () => {
  it('rejects sign-ins and keys, and leaves no personal data', async () => {
    const { email, client } = await newcomer('Grace Hopper');
    const { account_id } = await service.db
      .selectFrom('people')
      .select('account_id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const { apiKey } = await createKey(service.db, account_id, 'test', 'Grace’s laptop');
    const body = { measurement: 'Stature', gender: 'Male', age: 30, percentile: 50 };
    const call = () => service.post('/v1/predict', body, { authorization: `Bearer ${apiKey}` });
    expect((await call()).status).toBe(200);
    const remove = { action: `${SETTINGS}/delete` };
    expect((await client.submit(SETTINGS, { password: 'wrong' }, remove)).status).toBe(422);
    const cookie = client.cookies.get(COOKIE) ?? '';
    const answer = await client.submit(SETTINGS, { password: PASSWORD }, remove);
    expect(answer.location).toBe('/account/sign-in?done=deleted');
    client.cookies.set(COOKIE, cookie);
    expect(await isIn(client)).toBe(false);
    expect((await guest(150).submit(SIGN_IN, { email, password: PASSWORD })).status).toBe(422);
    expect((await call()).status).toBe(401);
    await expect(createKey(service.db, account_id, 'live')).rejects.toMatchObject({
      reason: 'account_closed',
    });
    const tables = [
      'accounts',
      'api_keys',
      'sessions',
      'people',
      'sign_ups',
      'email_tokens',
    ] as const;
    const rows = await Promise.all(
      tables.map((table) => service.db.selectFrom(table).selectAll().execute()),
    );
    const kept = JSON.stringify(rows);
    for (const trace of [email, 'Grace', cookie]) expect(kept).not.toContain(trace);
    const ledger = await service.db
      .selectFrom('ledger_entries')
      .select('kind')
      .where('account_id', '=', account_id)
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
    const save = (fields: Record<string, string>, token = csrf, by = client) =>
      by.submit(PATH, fields, { csrf: token });
    const pilots = { name: ' Pilots ', population: 'Male~DE,FR~20-40~nude~Divers' };
    expect((await save(pilots, csrf, other)).status).toBe(403);
    expect((await save(pilots, 'x')).status).toBe(403);
    expect((await save(pilots)).status).toBe(200);
    expect((await read(client)).populations).toEqual([
      { name: 'Pilots', population: 'Male~DE,FR~20-40~nude' },
    ]);
    expect((await read(other)).populations).toEqual([]);
    const unread = await save({ name: 'Nobody', population: 'Male~~old' });
    expect([unread.status, JSON.parse(unread.html).detail]).toEqual([
      422,
      'The population has no countries or no ages.',
    ]);
    const removed = await client.submit(`${PATH}/remove`, { name: 'Pilots' }, { csrf });
    expect(JSON.parse(removed.html).populations).toEqual([]);
    expect((await guest(61).get(PATH)).status).toBe(303);
  });
});
