import { readFileSync, statSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { findAccount } from '../../src/accounts/accounts.js';
import { deleteAccount } from '../../src/accounts/closed-accounts.js';
import { confirmSignUp } from '../../src/accounts/confirmation.js';
import { grantCredits } from '../../src/accounts/credits.js';
import { debtOf } from '../../src/accounts/debts.js';
import { expireUserData } from '../../src/accounts/expiry.js';
import { createKey, listKeys } from '../../src/accounts/keys.js';
import { newFormToken, readFormToken } from '../../src/accounts/one-time-forms.js';
import { newToken } from '../../src/accounts/secret-token.js';
import { findSignedInUser, listSessions, type SignedInUser } from '../../src/accounts/sessions.js';
import { renewSignUpLink, signUp } from '../../src/accounts/sign-up.js';
import { countAttempt } from '../../src/accounts/throttle.js';
import {
  admitReset,
  changePassword,
  confirmNewEmail,
  deleteUser,
  issueResetLink,
  requestNewEmail,
  resetPassword,
} from '../../src/accounts/user-changes.js';
import { signIn, type UserParts } from '../../src/accounts/users.js';
import { unpackFreeUses } from '../../src/billing/redis/keys.js';
import { LedgerBooks } from '../../src/billing/redis/ledger-books.js';
import { FREE_WINDOW_MS, type FreeUse } from '../../src/core/billing-terms.js';
import { isPostgres } from '../../src/database/dialect.js';
import { openSqlite, sqlitePath } from '../../src/database/sqlite.js';
import { newEntryId } from '../../src/ledger/charge.js';
import { bookDebt } from '../../src/ledger/debts.js';
import { SqliteLedger } from '../../src/ledger/sqlite-ledger.js';
import { DIALECTS } from '../support/dialects.js';
import { quickPasswords } from '../support/quick-passwords.js';
import { refused } from '../support/refused.js';
import { openForTest } from '../support/test-database.js';

const HERE = { address: '192.0.2.1', userAgent: 'test' };
const PASSWORD = 'gravel-otter-lamp-7';
const HOUR_MS = 3600_000;

describe.each(DIALECTS)('users on $name', ({ newUrl }) => {
  let parts: UserParts;
  let nowMs: number;
  let url: string;
  const passwords = quickPasswords();
  beforeEach(async () => {
    nowMs = 1_800_000_000_000;
    url = await newUrl();
    parts = { db: await openForTest(url), passwords, clock: () => nowMs };
  });

  async function tokenFor(email: string, name = 'Ada', password = PASSWORD): Promise<string> {
    const { email: wanted } = await signUp(parts, { name, email, password }, HERE);
    if (wanted?.kind !== 'confirm') throw new Error(`no link for ${email}`);
    return wanted.token;
  }

  async function newUser(email: string): Promise<SignedInUser> {
    const made = await signUp(parts, { name: 'Ada', email, password: PASSWORD }, HERE);
    const token = made.email?.kind === 'confirm' ? made.email.token : '';
    await confirmSignUp(parts, { token }, HERE, await userOf(made.sessionToken));
    return await userOf(made.sessionToken);
  }

  async function userOf(session: string): Promise<SignedInUser> {
    const found = await findSignedInUser(parts.db, session, nowMs);
    if (found === undefined) throw new Error('the session is not valid');
    return found;
  }

  it('sign up, confirm and sign in; their addresses are compared without case', async () => {
    const ada = await newUser('Ada@Example.com');
    expect(ada).toMatchObject({ name: 'Ada', email: 'Ada@Example.com' });
    const eves = { name: 'Eve', email: 'ADA@example.COM', password: 'chosen by eve 99' };
    const eve = await signUp(parts, eves, HERE);
    expect(eve.email?.kind).toBe('known');
    await refused(signIn(parts, eves, HERE), 'wrong_password');
    const session = await signIn(parts, { email: ' ada@example.com ', password: PASSWORD }, HERE);
    expect(await userOf(session)).toMatchObject({ userId: ada.userId });
    expect(await listSessions(parts.db, ada.userId, nowMs)).toHaveLength(2);
    const balances = await parts.db
      .selectFrom('balances')
      .select('mode')
      .where('account_id', '=', ada.accountId)
      .execute();
    expect(balances.map(({ mode }) => mode).sort()).toEqual(['live', 'test']);
  });

  it('are created once when several links of an address are opened at the same time', async () => {
    const tokens = [await tokenFor('ada@example.com'), await tokenFor('ada@example.com')];
    const opened = await Promise.allSettled(
      [...tokens, ...tokens].map((token) =>
        confirmSignUp(parts, { token, password: PASSWORD }, HERE),
      ),
    );
    expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const refused of opened.filter((one) => one.status === 'rejected')) {
      expect(refused.reason).toMatchObject({ reason: 'invalid_link' });
    }
    const confirmed = await parts.db
      .selectFrom('people')
      .innerJoin('accounts', 'accounts.id', 'people.account_id')
      .select('email_key')
      .where('confirmed_at_ms', 'is not', null)
      .execute();
    expect(confirmed).toEqual([{ email_key: 'ada@example.com' }]);
  });

  it('must confirm within a day', async () => {
    const token = await tokenFor('ada@example.com');
    nowMs += 24 * HOUR_MS;
    await refused(confirmSignUp(parts, { token, password: PASSWORD }, HERE), 'invalid_link');
  });

  it('keep no session of the old password when it changes during a sign-in', async () => {
    const ada = await newUser('ada@example.com');
    const input = { password: PASSWORD, newPassword: 'quite another one' };
    const rounds = await Promise.allSettled([
      signIn(parts, { email: ada.email, password: PASSWORD }, HERE),
      changePassword(parts, ada, input, HERE),
      signIn(parts, { email: ada.email, password: PASSWORD }, HERE),
    ]);
    const [, changed] = rounds;
    if (changed.status === 'rejected') throw changed.reason;
    const sessions = await listSessions(parts.db, ada.userId, nowMs);
    const { sessionId } = await userOf(changed.value);
    expect(sessions.map(({ id }) => id)).toEqual([sessionId]);
  });

  it('reset the password by a link that works once, even when used twice at the same time', async () => {
    const ada = await newUser('ada@example.com');
    const emailKey = await admitReset(parts, 'ADA@example.com', HERE);
    const issued = await issueResetLink(parts, emailKey);
    const token = issued?.token ?? '';
    expect(issued?.email).toBe(ada.email);
    const uses = await Promise.allSettled(
      ['first of the two', 'second of the two'].map((newPassword) =>
        resetPassword(parts, { token, newPassword }, HERE),
      ),
    );
    const [done, ...others] = uses.filter(({ status }) => status === 'fulfilled');
    if (done?.status !== 'fulfilled') throw new Error('both uses were refused');
    expect(others).toEqual([]);
    const sessions = await listSessions(parts.db, ada.userId, nowMs);
    const { sessionId } = await userOf(done.value.sessionToken);
    expect(sessions.map(({ id }) => id)).toEqual([sessionId]);
  });

  it('change the address after confirming it, unless another user has taken it in the meantime', async () => {
    const ada = await newUser('ada@example.com');
    const asked = await requestNewEmail(parts, ada, { email: 'new@x.example', password: PASSWORD });
    const eve = await newUser('new@x.example');
    await refused(confirmNewEmail(parts, ada, asked?.token ?? ''), 'invalid_link');
    const again = { email: 'other@x.example', password: PASSWORD };
    const issued = await requestNewEmail(parts, ada, again);
    await refused(confirmNewEmail(parts, eve, issued?.token ?? ''), 'invalid_link');
    expect(await confirmNewEmail(parts, ada, issued?.token ?? '')).toBe('other@x.example');
    await signIn(parts, { email: 'other@x.example', password: PASSWORD }, HERE);
  });

  it('are erased with all keys, even keys created at the same time; the account stays', async () => {
    await newUser('bob@example.com');
    const ada = await newUser('ada@example.com');
    const { password_hash: hash } = await parts.db
      .selectFrom('people')
      .select('password_hash')
      .where('account_id', '=', ada.accountId)
      .executeTakeFirstOrThrow();
    const eve = await newUser('eve@example.com');
    const made = await Promise.allSettled([
      createKey(parts.db, ada.accountId, 'live', 'one'),
      deleteUser(parts, ada, PASSWORD),
      createKey(parts.db, ada.accountId, 'live', 'two'),
    ]);
    expect(made[1].status).toBe('fulfilled');
    if (!isPostgres(parts.db)) {
      const path = sqlitePath(url);
      const files = [path, `${path}-wal`].map((file) => readFileSync(file, 'latin1')).join('');
      expect(files).toContain('eve@example.com');
      expect(files).not.toMatch(/ada@example\.com/i);
      expect(files).not.toContain(hash);
      for (const end of ['', '-wal', '-shm']) expect(statSync(path + end).mode & 0o777).toBe(0o600);
    }
    const own = parts.db.selectFrom('api_keys').where('account_id', '=', ada.accountId);
    const keys = await own.select(['revoked_at_ms', 'name']).execute();
    for (const key of keys) expect(key).toEqual({ revoked_at_ms: nowMs, name: 'deleted' });
    await refused(createKey(parts.db, ada.accountId, 'live', 'three'), 'account_closed');
    expect(await findAccount(parts.db, ada.accountId)).toMatchObject({ name: 'deleted account' });
    expect(await listSessions(parts.db, ada.userId, nowMs)).toEqual([]);
    // The operator's command does the same, once.
    const { accountId } = eve;
    expect(await deleteAccount(parts.db, 'deleted account')).toEqual({
      accountId: ada.accountId,
      applied: false,
    });
    expect(await deleteAccount(parts.db, accountId)).toEqual({ accountId, applied: true });
    expect(await deleteAccount(parts.db, accountId)).toEqual({ accountId, applied: false });
    const left = await parts.db.selectFrom('people').select('email').execute();
    expect(left).toEqual([{ email: 'bob@example.com' }]);
    expect(await parts.db.selectFrom('closed_accounts').selectAll().execute()).toHaveLength(2);
    expect(await parts.db.selectFrom('known_networks').selectAll().execute()).toHaveLength(1);
    await newUser('ada@example.com');
  });

  it('get a test key at once, and what is live after they confirm their address', async () => {
    const input = { name: 'Ada', email: 'ada@example.com', password: PASSWORD };
    const { sessionToken, key, email } = await signUp(parts, input, HERE);
    const ada = await userOf(sessionToken);
    expect(key).toMatchObject({ mode: 'test', accountId: ada.accountId });
    expect(ada.confirmByMs).toBe(nowMs + 7 * 24 * HOUR_MS);
    await createKey(parts.db, ada.accountId, 'test', 'second', nowMs);
    const live = () => createKey(parts.db, ada.accountId, 'live', 'live', nowMs);
    await refused(live(), 'account_unconfirmed');
    const { accountId } = ada;
    // The sign-up gives the test credits of the day.
    const balances = await parts.db
      .selectFrom('balances')
      .select(['mode', 'paid_credits'])
      .where('account_id', '=', accountId)
      .orderBy('mode')
      .execute();
    expect(balances.map(({ paid_credits }) => paid_credits)).toEqual([0, 1000]);
    const more = () => grantCredits(parts.db, accountId, 'test', 1, { nowMs });
    await refused(more(), 'test_credit_limit');
    await refused(
      requestNewEmail(parts, ada, { email: 'new@x.example', password: PASSWORD }),
      'unconfirmed',
    );
    // The account does not hold the address, so there is no sign-in and no reset link.
    await refused(signIn(parts, input, HERE), 'wrong_password');
    expect(await issueResetLink(parts, 'ada@example.com')).toBeUndefined();
    const token = email?.kind === 'confirm' ? email.token : '';
    const other = await newUser('eve@example.com');
    await refused(confirmSignUp(parts, { token }, HERE, other), 'wrong_password');
    expect(await confirmSignUp(parts, { token }, HERE, ada)).toBeUndefined();
    expect((await userOf(sessionToken)).confirmByMs).toBeNull();
    await live();
    await expect(more()).rejects.toThrow('at most 1000 test credits in 24 hours; 0 are left.');
    await signIn(parts, input, HERE);
    expect(await issueResetLink(parts, 'ada@example.com')).toBeDefined();
  });

  it('get fewer test credits on the next day until they confirm their address', async () => {
    const input = { name: 'Ada', email: 'ada@example.com', password: PASSWORD };
    const { accountId } = await userOf((await signUp(parts, input, HERE)).sessionToken);
    nowMs += 25 * HOUR_MS;
    await grantCredits(parts.db, accountId, 'test', 100, { nowMs });
    const more = grantCredits(parts.db, accountId, 'test', 1, { nowMs });
    await expect(more).rejects.toThrow('Confirm your e-mail address to get more.');
  });

  it('cannot be taken over by somebody who signs up with their address first', async () => {
    const email = 'ada@example.com';
    const evil = { name: 'Eve', email, password: 'chosen by eve 99' };
    const eve = await signUp(parts, evil, HERE);
    const token = eve.email?.kind === 'confirm' ? eve.email.token : '';
    await refused(confirmSignUp(parts, { token, password: PASSWORD }, HERE), 'wrong_password');
    const ada = await newUser(email);
    // Eve's account stays without an address, even if Eve uses her own link.
    const user = await userOf(eve.sessionToken);
    expect(user.accountId).not.toBe(ada.accountId);
    await refused(confirmSignUp(parts, { token }, HERE, user), 'invalid_link');
    await refused(signIn(parts, evil, HERE), 'wrong_password');
    expect((await renewSignUpLink(parts, user, HERE))?.kind).toBe('known');
  });

  it('who do not confirm within a week lose the account with its keys', async () => {
    const input = { name: 'Ada', email: 'ada@example.com', password: PASSWORD };
    const { sessionToken, key } = await signUp(parts, input, HERE);
    const bob = await newUser('bob@example.com');
    nowMs += 7 * 24 * HOUR_MS - 1;
    await expireUserData(parts.db, nowMs);
    const revoked = async () =>
      (await listKeys(parts.db, key?.accountId)).map(({ revokedAtMs }) => revokedAtMs);
    expect(await revoked()).toEqual([null]);
    nowMs += 1;
    await expireUserData(parts.db, nowMs);
    expect(await revoked()).toEqual([nowMs]);
    expect(await findSignedInUser(parts.db, sessionToken, nowMs)).toBeUndefined();
    expect(await parts.db.selectFrom('people').select('id').execute()).toEqual([
      { id: bob.userId },
    ]);
    const rows = await Promise.all([
      parts.db.selectFrom('accounts').selectAll().where('id', '<>', bob.accountId).execute(),
      parts.db
        .selectFrom('api_keys')
        .selectAll()
        .where('account_id', '<>', bob.accountId)
        .execute(),
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/"Ada"|ada@|First test key/);
  });

  it('get one account from one form, even when it is sent twice at the same time', async () => {
    const csrf = newToken();
    const form = readFormToken(csrf, newFormToken(csrf, nowMs), nowMs);
    expect(form).toBeDefined();
    const input = { name: 'Ada', email: 'ada@example.com', password: PASSWORD };
    const both = await Promise.all([1, 2].map(() => signUp(parts, input, HERE, form)));
    expect(both.filter(({ key }) => key !== undefined)).toHaveLength(1);
    const [one, two] = await Promise.all(both.map(({ sessionToken }) => userOf(sessionToken)));
    expect(one?.userId).toBe(two?.userId);
    await refused(
      signUp(parts, { ...input, password: 'chosen by eve 99' }, HERE, form),
      'wrong_password',
    );
    nowMs += 24 * HOUR_MS;
    await expireUserData(parts.db, nowMs);
    expect(await parts.db.selectFrom('used_forms').selectAll().execute()).toEqual([]);
  });

  it('get back no free calls by signing up again, and leave no debt behind', async () => {
    const ada = await newUser('ada@example.com');
    const { id } = await createKey(parts.db, ada.accountId, 'live', 'free', nowMs);
    await useFreeCalls(ada.accountId, id, 7);
    await deleteUser(parts, ada, PASSWORD);
    const stored = await parts.db.selectFrom('closed_accounts').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain('ada@');
    nowMs += 3 * HOUR_MS;
    const again = await newUser('ADA@example.com');
    const eve = await newUser('eve@example.com');
    expect(await freeCallsUsed(again.accountId)).toBe(7);
    expect(await freeCallsUsed(eve.accountId)).toBe(0);
    await deleteUser(parts, again, PASSWORD);
    const third = await newUser('ada@example.com');
    expect(await freeCallsUsed(third.accountId)).toBe(7);

    const entry = { kind: 'reversed', credits: 300, reversal: 'refund:1', atMs: nowMs } as const;
    await parts.db
      .transaction()
      .execute((trx) => bookDebt(trx, { ...entry, accountId: third.accountId, cause: 'refund:1' }));
    await deleteUser(parts, third, PASSWORD);
    nowMs += 364 * 24 * HOUR_MS;
    await expireUserData(parts.db, nowMs);
    const fourth = await newUser('ada@example.com');
    expect(await debtOf(parts.db, fourth.accountId)).toBe(300);
    expect(await debtOf(parts.db, third.accountId)).toBe(0);
    expect(await freeCallsUsed(fourth.accountId)).toBe(0);
    await deleteUser(parts, fourth, PASSWORD);
    nowMs += 365 * 24 * HOUR_MS;
    const fifth = await newUser('ada@example.com');
    expect(await debtOf(parts.db, fifth.accountId)).toBe(0);
    await expireUserData(parts.db, nowMs);
    expect(await parts.db.selectFrom('closed_accounts').selectAll().execute()).toEqual([]);
  });

  async function useFreeCalls(accountId: string, keyId: string, calls: number): Promise<void> {
    await parts.db
      .insertInto('ledger_entries')
      .values({
        ...(isPostgres(parts.db) ? { id: newEntryId(nowMs) } : {}),
        ...{ account_id: accountId, mode: 'live', kind: 'usage' },
        ...{ credits: 0, free_calls: calls, cause: `request:${nowMs}`, operation: 'predict' },
        ...{ key_id: keyId, rate_hits: 1, at_ms: nowMs, balance_after: 0 },
      })
      .execute();
  }

  /** Free calls in the window, as the gate of the database reads them. */
  async function freeCallsUsed(accountId: string): Promise<number> {
    const sum = (uses: readonly FreeUse[]) =>
      uses
        .filter(({ atMs }) => atMs + FREE_WINDOW_MS > nowMs)
        .reduce((used, { calls }) => used + calls, 0);
    if (isPostgres(parts.db)) {
      const funds = await new LedgerBooks(parts.db).funds(accountId, 'live', nowMs);
      return sum(unpackFreeUses(funds?.free ?? ''));
    }
    const connection = openSqlite(sqlitePath(url));
    const { freeUses } = new SqliteLedger(connection).funds(accountId, 'live');
    connection.close();
    return sum(freeUses);
  }

  it('come in from networks where they signed in lately, while others guess their password', async () => {
    const ada = await newUser('ada@example.com');
    const from = (address: string, password = PASSWORD) =>
      signIn(parts, { email: ada.email, password }, { ...HERE, address });
    await from('198.51.100.7');
    for (let guess = 0; guess < 50; guess++) {
      const wrong = from(`203.0.113.${guess % 5}`, 'chosen by eve 99');
      await refused(wrong, 'wrong_password');
    }
    const throttled = { reason: 'throttled' };
    await expect(from('203.0.113.9')).rejects.toMatchObject(throttled);
    const networks = () => parts.db.selectFrom('known_networks').selectAll().execute();
    expect(JSON.stringify(await networks())).not.toContain('198.51.100');
    // From a known network, the limit of address and network together holds.
    for (let guess = 0; guess < 10; guess++) {
      await refused(from('198.51.100.7', 'wrong'), 'wrong_password');
    }
    await expect(from('198.51.100.7')).rejects.toMatchObject(throttled);
    nowMs += HOUR_MS / 4;
    await from('198.51.100.7');
    // A new password forgets all networks but its own.
    const changed = { password: PASSWORD, newPassword: 'quite another one' };
    await changePassword(parts, ada, changed, HERE);
    expect(await networks()).toHaveLength(1);
    for (let i = 0; i < 12; i++) {
      nowMs++;
      await from(`198.51.100.${i}`, 'quite another one');
    }
    expect(await networks()).toHaveLength(8);
    nowMs += 30 * 24 * HOUR_MS;
    await expireUserData(parts.db, nowMs);
    expect(await networks()).toEqual([]);
  });

  it('are limited exactly for concurrent attempts, and again from zero in the next window', async () => {
    const limit = { name: 'test', attempts: 5, windowMs: 1000 };
    const attempt = () => countAttempt(parts, limit, 'ada');
    const results = await Promise.allSettled(Array.from({ length: 12 }, attempt));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    await countAttempt(parts, limit, 'bob');
    nowMs += 999;
    await expect(attempt()).rejects.toMatchObject({ reason: 'throttled', retryAfterSeconds: 1 });
    nowMs += 1;
    await attempt();
  });

  it('are limited for one window, not until the wrong time, after a clock that ran ahead is set back', async () => {
    const limit = { name: 'ahead', attempts: 2, windowMs: 1000 };
    const attempt = () => countAttempt(parts, limit, 'ada');
    nowMs += 24 * HOUR_MS;
    await attempt();
    await attempt();
    nowMs -= 24 * HOUR_MS;
    await expect(attempt()).rejects.toMatchObject({ reason: 'throttled', retryAfterSeconds: 1 });
    nowMs += 999;
    await expect(attempt()).rejects.toMatchObject({ reason: 'throttled', retryAfterSeconds: 1 });
    nowMs += 1;
    await attempt();
  });

  it('are not counted where the queue of hashes is full, and come in beside a crowd of one network', async () => {
    const { email } = await newUser('ada@example.com');
    await parts.db.deleteFrom('attempts').execute();
    const crowded = quickPasswords(0);
    const waiting = async (who: string) => {
      await crowded.hash('x', who);
    };
    for (let i = 0; i < 32; i++) void waiting(`192.0.3.${i}`);
    const attempt = { email, password: PASSWORD };
    const busy = { reason: 'busy', retryAfterSeconds: 5 };
    const full = { ...parts, passwords: crowded };
    await expect(signIn(full, attempt, HERE)).rejects.toMatchObject(busy);
    await expect(signUp(full, { ...attempt, name: 'Ada' }, HERE)).rejects.toMatchObject(busy);
    expect(await parts.db.selectFrom('attempts').selectAll().execute()).toEqual([]);
    const beside = quickPasswords(1);
    const eve = Array.from({ length: 40 }, () => beside.hash('x', '198.51.100.1'));
    const crowd = Promise.allSettled(eve);
    expect(await signIn({ ...parts, passwords: beside }, attempt, HERE)).toMatch(/./);
    await crowd;
  });

  it('leave no expired data behind', async () => {
    const ada = await newUser('ada@example.com');
    await tokenFor('bob@example.com');
    await issueResetLink(parts, 'ada@example.com');
    await expireUserData(parts.db, nowMs);
    const count = async () => {
      const tables = ['sessions', 'sign_ups', 'email_tokens'] as const;
      const rows = tables.map((name) => parts.db.selectFrom(name).selectAll().execute());
      return (await Promise.all(rows)).map(({ length }) => length);
    };
    expect(await count()).toEqual([2, 1, 1]);
    nowMs += 24 * HOUR_MS;
    await expireUserData(parts.db, nowMs);
    expect(await count()).toEqual([2, 0, 0]);
    nowMs += 6 * 24 * HOUR_MS;
    expect(await findSignedInUser(parts.db, 'x'.repeat(43), nowMs)).toBeUndefined();
    await expireUserData(parts.db, nowMs);
    expect(await count()).toEqual([0, 0, 0]);
    // Bob has not confirmed his address.
    expect(await parts.db.selectFrom('attempts').selectAll().execute()).toEqual([]);
    expect(await parts.db.selectFrom('people').select('id').execute()).toEqual([
      { id: ada.userId },
    ]);
  });
});
