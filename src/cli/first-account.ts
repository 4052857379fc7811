import type { Config } from '../config.js';
import { openSqlite, sqlitePath } from '../database/sqlite.js';
import { isPostgresUrl } from '../database/url.js';

/** Hints for the user who has just started the service. */
export interface FirstSteps {
  /** Name of the new account and its key. Both are absent if no account was created. */
  readonly account?: string;
  readonly key?: string;
  readonly hints: readonly string[];
}

const FIRST_NAME = 'first';

/**
 * Creates a first account with a test key if there is no account; otherwise only gives hints. An account is created
 * only in preview, and never on PostgreSQL, where several nodes may start at once and each would create an account.
 */
export async function firstSteps({ databaseUrl, serviceEnv }: Config): Promise<FirstSteps> {
  const server = isPostgresUrl(databaseUrl);
  const names = server ? await accountNamesOnServer(databaseUrl) : accountNames(databaseUrl);
  if (names.length > 0) return { hints: keyHints(names) };
  if (server || serviceEnv === 'production') return { hints: accountHints() };
  return await makeFirst(databaseUrl);
}

async function accountNamesOnServer(databaseUrl: string): Promise<readonly string[]> {
  const { openDatabase } = await import('../database/open.js');
  const db = await openDatabase(databaseUrl);
  try {
    const rows = await db.selectFrom('accounts').select('name').limit(2).execute();
    return rows.map(({ name }) => name);
  } finally {
    await db.destroy();
  }
}

/** Names of some accounts. Does not use Kysely, because loading it would slow down every start. */
function accountNames(databaseUrl: string): readonly string[] {
  const connection = openSqlite(sqlitePath(databaseUrl));
  try {
    return connection.prepareRaw('select name from accounts limit 2').all().flat().map(String);
  } finally {
    connection.close();
  }
}

async function makeFirst(databaseUrl: string): Promise<FirstSteps> {
  const { openDatabase } = await import('../database/open.js');
  const { createAccount } = await import('../accounts/accounts.js');
  const { createKey } = await import('../accounts/keys.js');
  const db = await openDatabase(databaseUrl);
  try {
    const { id, name } = await createAccount(db, FIRST_NAME);
    const { apiKey } = await createKey(db, id, 'test', 'first start');
    return { account: name, key: apiKey, hints: keyHints([name]) };
  } finally {
    await db.destroy();
  }
}

function keyHints(names: readonly string[]): string[] {
  const [only, ...others] = names;
  const account = only === undefined || others.length > 0 ? 'ACCOUNT' : quoted(only);
  const hints = [
    'Another key:',
    `  npx vitruvia keys create --account ${account} --mode test  (or --mode live)`,
    'Credits for its live keys, here without payment:',
    `  npx vitruvia credits grant --account ${account} --amount 21000`,
  ];
  if (account === 'ACCOUNT') hints.push('Accounts:', '  npx vitruvia accounts list');
  return hints;
}

function accountHints(): string[] {
  return [
    'There is no account yet. Create one, with a key and credits:',
    '  npx vitruvia accounts create --name NAME',
    '  npx vitruvia keys create --account NAME --mode live',
    '  npx vitruvia credits grant --account NAME --amount 100',
  ];
}

/** A name quoted as one word for a shell. */
function quoted(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
