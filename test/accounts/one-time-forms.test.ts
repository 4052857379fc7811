import { beforeEach, describe, expect, it } from 'vitest';
import { createAccount } from '../../src/accounts/accounts.js';
import { createKeyWithin, listKeys } from '../../src/accounts/keys.js';
import { createOnce, newFormToken, readFormToken } from '../../src/accounts/one-time-forms.js';
import { newToken } from '../../src/accounts/secret-token.js';
import type { Database } from '../../src/database/schema.js';
import { DIALECTS } from '../support/dialects.js';
import { openForTest } from '../support/test-database.js';

const DAY_MS = 24 * 3600_000;
const NOW_MS = 1_800_000_000_000;
const csrf = newToken();

describe('the token of a form', () => {
  it('is valid for a day, in its own session only, and cannot be changed', () => {
    const token = newFormToken(csrf, NOW_MS);
    expect(readFormToken(csrf, token, NOW_MS)?.expiresAtMs).toBe(NOW_MS + DAY_MS);
    expect(readFormToken(csrf, token, NOW_MS + DAY_MS - 1)).toBeDefined();
    expect(readFormToken(csrf, token, NOW_MS + DAY_MS)).toBeUndefined();
    expect(readFormToken(newToken(), token, NOW_MS)).toBeUndefined();
    const [, ...rest] = token.split('.');
    const later = [(NOW_MS + 1000).toString(36), ...rest].join('.');
    for (const bad of [later, '', `${token}x`, token.slice(1)]) {
      expect(readFormToken(csrf, bad, NOW_MS)).toBeUndefined();
    }
  });
});

describe.each(DIALECTS)('a form on $name', ({ newUrl }) => {
  let db: Database;
  let account: string;
  beforeEach(async () => {
    db = await openForTest(await newUrl());
    account = (await createAccount(db, 'Ada', NOW_MS)).id;
  });

  const newForm = () => readFormToken(csrf, newFormToken(csrf, NOW_MS), NOW_MS);
  const use = (form: ReturnType<typeof newForm>, name = 'one') =>
    createOnce(db, form, (trx) => createKeyWithin(trx, account, 'test', name, NOW_MS));

  it('creates one thing, however often it is sent at the same time', async () => {
    const form = newForm();
    const made = await Promise.all(Array.from({ length: 8 }, () => use(form)));
    const keys = await listKeys(db, account);
    expect(keys).toHaveLength(1);
    expect(made.filter(({ created }) => created !== undefined)).toHaveLength(1);
    for (const one of made) {
      if (one.created === undefined) expect(one.earlierId).toBe(keys[0]?.id);
    }
    await use(newForm());
    expect(await listKeys(db, account)).toHaveLength(2);
  });

  it('can be sent again after a refusal', async () => {
    const form = newForm();
    await expect(use(form, '')).rejects.toMatchObject({ reason: 'invalid_name' });
    expect((await use(form)).created?.name).toBe('one');
  });

  it('leaves no token and no key in the database', async () => {
    const token = newFormToken(csrf, NOW_MS);
    const made = await use(readFormToken(csrf, token, NOW_MS));
    const rows = [
      await db.selectFrom('used_forms').selectAll().execute(),
      await db.selectFrom('api_keys').selectAll().execute(),
    ];
    expect(JSON.stringify(rows)).toContain(made.created?.id ?? 'none');
    for (const secret of [token, csrf, made.created?.apiKey ?? 'none']) {
      expect(JSON.stringify(rows)).not.toContain(secret);
    }
  });
});
