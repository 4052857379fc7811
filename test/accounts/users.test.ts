import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { debtOf } from '../../src/accounts/debts.js';
import { createKey } from '../../src/accounts/keys.js';
import { Passwords } from '../../src/accounts/passwords.js';
import { findSignedInUser, listSessions, type SignedInUser } from '../../src/accounts/sessions.js';
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
import {
  confirmSignUp,
  expireUserData,
  signIn,
  signUp,
  type UserParts,
} from '../../src/accounts/users.js';
import { unpackFreeUses } from '../../src/billing/redis/keys.js';
import { LedgerBooks } from '../../src/billing/redis/ledger-books.js';
import { FREE_WINDOW_MS, type FreeUse } from '../../src/core/billing-terms.js';
import { isPostgres } from '../../src/database/dialect.js';
import { openDatabase } from '../../src/database/open.js';
import { openSqlite, sqlitePath } from '../../src/database/sqlite.js';
import { newEntryId } from '../../src/ledger/charge.js';
import { bookDebt } from '../../src/ledger/debts.js';
import { SqliteLedger } from '../../src/ledger/sqlite-ledger.js';
import { DIALECTS } from '../support/dialects.js';

const HERE = { address: '192.0.2.1', userAgent: 'test' };
const PASSWORD = 'gravel-otter-lamp-7';
const HOUR_MS = 3600_000;

describe.each(DIALECTS)('users on $name', ({ newUrl }) => {
  let parts: UserParts;
  let nowMs: number;
  let url: string;
  const passwords = new Passwords();
  beforeEach(async () => {
    nowMs = 1_800_000_000_000;
    url = await newUrl();
    parts = { db: await openDatabase(url), passwords, clock: () => nowMs };
  });
  afterEach(() => parts.db.destroy());

  async function tokenFor(email: string, name = 'Ada', password = PASSWORD): Promise<string> {
    const wanted = await signUp(parts, { name, email, password }, HERE);
    if (wanted?.kind !== 'confirm') throw new Error(`no link for ${email}`);
    return wanted.token;
  }

  async function newUser(email: string): Promise<SignedInUser> {
    const token = await tokenFor(email);
    return await userOf(await confirmSignUp(parts, { token, password: PASSWORD }, HERE));
  }

  async function userOf(session: string): Promise<SignedInUser> {
    const found = await findSignedInUser(parts.db, session, nowMs);
    if (found === undefined) throw new Error('the session is not valid');
    return found;
  }

  it('sign up, confirm and sign in; their addresses are compared without case', async () => {
    const ada = await newUser('Ada@Example.com');
    expect(ada).toMatchObject({ name: 'Ada', email: 'Ada@Example.com' });
    const { kind } = (await signUp(
      parts,
      { name: 'Eve', email: 'ADA@example.COM', password: PASSWORD },
      HERE,
    )) ?? { kind: 'none' };
    expect(kind).toBe('known');
    const session = await signIn(parts, { email: ' ada@example.com ', password: PASSWORD }, HERE);
    expect(await userOf(session)).toMatchObject({ userId: ada.userId });
    expect(await listSessions(parts.db, ada.userId, nowMs)).toHaveLength(2);
    const balances = await parts.db.selectFrom('balances').select('mode').execute();
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
    const { length } = await parts.db.selectFrom('accounts').select('id').execute();
    expect(length).toBe(1);
    expect(await parts.db.selectFrom('sign_ups').selectAll().execute()).toEqual([]);
  });

  it('must confirm within a day', async () => {
    const token = await tokenFor('ada@example.com');
    nowMs += 24 * HOUR_MS;
    const late = confirmSignUp(parts, { token, password: PASSWORD }, HERE);
    await expect(late).rejects.toMatchObject({ reason: 'invalid_link' });
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
    const late = confirmNewEmail(parts, ada, asked?.token ?? '');
    await expect(late).rejects.toMatchObject({ reason: 'invalid_link' });
    const again = { email: 'other@x.example', password: PASSWORD };
    const issued = await requestNewEmail(parts, ada, again);
    const foreign = confirmNewEmail(parts, eve, issued?.token ?? '');
    await expect(foreign).rejects.toMatchObject({ reason: 'invalid_link' });
    expect(await confirmNewEmail(parts, ada, issued?.token ?? '')).toBe('other@x.example');
    await signIn(parts, { email: 'other@x.example', password: PASSWORD }, HERE);
  });

  it('are erased with all keys, even keys created at the same time; the account stays', async () => {
    const ada = await newUser('ada@example.com');
    const made = await Promise.allSettled([
      createKey(parts.db, ada.accountId, 'live', 'one'),
      deleteUser(parts, ada, PASSWORD),
      createKey(parts.db, ada.accountId, 'live', 'two'),
    ]);
    expect(made[1].status).toBe('fulfilled');
    const keys = await parts.db.selectFrom('api_keys').select(['revoked_at_ms', 'name']).execute();
    for (const key of keys) expect(key).toEqual({ revoked_at_ms: nowMs, name: 'deleted' });
    const late = createKey(parts.db, ada.accountId, 'live', 'three');
    await expect(late).rejects.toMatchObject({ reason: 'account_closed' });
    const accounts = await parts.db.selectFrom('accounts').selectAll().execute();
    expect(accounts).toMatchObject([{ id: ada.accountId, name: 'deleted account' }]);
    expect(await parts.db.selectFrom('sessions').selectAll().execute()).toEqual([]);
    await newUser('ada@example.com');
  });

  it('get no account, no key and no session before they confirm their address', async () => {
    const token = await tokenFor('ada@example.com');
    expect(await parts.db.selectFrom('accounts').select('id').execute()).toEqual([]);
    const early = signIn(parts, { email: 'ada@example.com', password: PASSWORD }, HERE);
    await expect(early).rejects.toMatchObject({ reason: 'wrong_password' });
    const session = await confirmSignUp(parts, { token, password: PASSWORD }, HERE);
    const { accountId } = await userOf(session);
    await createKey(parts.db, accountId, 'live', 'confirmed', nowMs);
    // An account that exists before its owner has confirmed the address has test keys only.
    await parts.db
      .updateTable('accounts')
      .set({ confirmed_at_ms: null } as object)
      .execute();
    const live = createKey(parts.db, accountId, 'live', 'early', nowMs);
    await expect(live).rejects.toMatchObject({ reason: 'account_unconfirmed' });
    await createKey(parts.db, accountId, 'test', 'early', nowMs);
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

  /** Free calls in the window as the gate of that database reads them. */
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
    expect(await count()).toEqual([1, 1, 1]);
    nowMs += 24 * HOUR_MS;
    await expireUserData(parts.db, nowMs);
    expect(await count()).toEqual([1, 0, 0]);
    nowMs += 6 * 24 * HOUR_MS;
    expect(await findSignedInUser(parts.db, 'x'.repeat(43), nowMs)).toBeUndefined();
    await expireUserData(parts.db, nowMs);
    expect(await count()).toEqual([0, 0, 0]);
    expect(await parts.db.selectFrom('attempts').selectAll().execute()).toEqual([]);
    expect(await parts.db.selectFrom('people').select('id').execute()).toEqual([
      { id: ada.userId },
    ]);
  });
});
