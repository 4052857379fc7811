import { type Account, createAccount, listAccounts } from '../accounts/accounts.js';
import { createKey } from '../accounts/keys.js';
import type { Config } from '../config.js';
import { openDatabase } from '../database/open.js';
import type { Database } from '../database/schema.js';

/** What someone who has just started the service may want to know. */
export interface FirstSteps {
  /** Name of the account just made, and its key; absent when none was made. */
  readonly account?: string;
  readonly key?: string;
  readonly hints: readonly string[];
}

const FIRST_NAME = 'first';

/** Makes a first account with a test key, in preview and when there is none; else only hints. */
export async function firstSteps({ databaseUrl, serviceEnv }: Config): Promise<FirstSteps> {
  const db = await openDatabase(databaseUrl);
  try {
    const accounts = await listAccounts(db);
    if (accounts.length > 0) return { hints: keyHints(accounts) };
    if (serviceEnv === 'production') return { hints: accountHints() };
    return await makeFirst(db);
  } finally {
    await db.destroy();
  }
}

async function makeFirst(db: Database): Promise<FirstSteps> {
  const account = await createAccount(db, FIRST_NAME);
  const { apiKey } = await createKey(db, account.id, 'test', 'first start');
  return { account: account.name, key: apiKey, hints: keyHints([account]) };
}

function keyHints(accounts: readonly Account[]): string[] {
  const [only, ...others] = accounts;
  const account = only === undefined || others.length > 0 ? 'ACCOUNT' : quoted(only.name);
  const hints = [
    'Another key:',
    `  npx vitruvia keys create --account ${account} --mode test  (or --mode live)`,
  ];
  if (account === 'ACCOUNT') hints.push('Accounts:', '  npx vitruvia accounts list');
  return hints;
}

function accountHints(): string[] {
  return [
    'There is no account yet. Make one, with a key and credits:',
    '  npx vitruvia accounts create --name NAME',
    '  npx vitruvia keys create --account NAME --mode live',
    '  npx vitruvia credits grant --account NAME --amount 100',
  ];
}

/** A name as one word of a shell. */
function quoted(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
