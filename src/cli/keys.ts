import { type Command, Option } from 'commander';
import { hashApiKey, parseApiKey, displayStart as startOf } from '../accounts/api-key.js';
import { OVERLAP_NAMES, OVERLAPS, type Overlap, rotateKey } from '../accounts/key-rotation.js';
import { createKey, type KeyRecord, listKeys, revokeKey } from '../accounts/keys.js';
import { MODES, type Mode } from '../core/billing-terms.js';
import type { Database } from '../database/schema.js';
import { Refusal } from '../failure.js';
import { isoTime, JSON_OPTION, type JsonOption, print, table } from './output.js';
import { withDatabase } from './with-database.js';

const EXAMPLES = `
Examples:
  npx vitruvia keys create --account acme --mode live
  npx vitruvia keys list --account acme
  npx vitruvia keys rotate vt_live_3k9XyZ --old-ends 24h
  npx vitruvia keys revoke vt_live_3k9XyZ
`;

/** Adds `keys create`, `keys list`, `keys rotate` and `keys revoke`. */
export function keysCommand(command: Command): void {
  command.addHelpText('after', EXAMPLES);
  command
    .command('create')
    .description('create an API key and print it; it is shown only once')
    .requiredOption('--account <account>', 'id or name of the account')
    .addOption(
      new Option('--mode <mode>', 'the ledger it spends').choices(MODES).makeOptionMandatory(),
    )
    .option('--name <name>', 'what the key is for', 'default')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  npx vitruvia keys create --account acme --mode test\n')
    .action(create);
  command
    .command('list')
    .description('list keys, oldest first, including revoked ones')
    .option('--account <account>', 'only the keys of this account (id or name)')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  npx vitruvia keys list --account acme --json\n')
    .action(list);
  command
    .command('rotate')
    .description('create a successor and print it; the old key ends at the time given')
    .argument('<key>', 'its id, its start as keys list shows it, or the whole key')
    .addOption(
      new Option('--old-ends <when>', 'when the old key stops')
        .choices(OVERLAP_NAMES)
        .default('24h'),
    )
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  npx vitruvia keys rotate vt_live_3k9XyZ --old-ends 7d\n')
    .action(rotate);
  command
    .command('revoke')
    .description('revoke a key permanently; a running service refuses it within a second')
    .argument('<key>', 'its id, its start as keys list shows it, or the whole key')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  npx vitruvia keys revoke vt_live_3k9XyZ\n')
    .action(revoke);
}

interface CreateOptions extends JsonOption {
  readonly account: string;
  readonly mode: Mode;
  readonly name: string;
}

async function create(options: CreateOptions): Promise<void> {
  const { account, mode, name } = options;
  const { apiKey, ...record } = await withDatabase((db) => createKey(db, account, mode, name));
  const text = `${apiKey}\n\nStore it now: only its start, ${record.displayStart}, can be shown again.`;
  print(options, { key: apiKey, ...documentOf(record) }, text);
}

async function list(options: JsonOption & { readonly account?: string }): Promise<void> {
  const keys = await withDatabase((db) => listKeys(db, options.account));
  const documents = keys.map(documentOf);
  const rows = documents.map((key) => [
    key.displayStart,
    key.mode,
    key.id,
    key.account,
    key.createdAt,
    key.revokedAt ?? '-',
    key.endsAt ?? '-',
    key.name,
  ]);
  const head = ['START', 'MODE', 'ID', 'ACCOUNT', 'CREATED', 'REVOKED', 'ENDS', 'NAME'];
  print(options, documents, keys.length === 0 ? 'No keys.' : table([head, ...rows]));
}

async function rotate(
  wanted: string,
  options: JsonOption & { readonly oldEnds: Overlap },
): Promise<void> {
  const { label, ms } = OVERLAPS[options.oldEnds];
  const { made, old } = await withDatabase(async (db) => {
    const { id } = await findKey(db, wanted);
    return { made: await rotateKey(db, id, ms), old: await findKey(db, id) };
  });
  const { apiKey, ...record } = made;
  const text = `${apiKey}\n\nStore it now: only its start, ${record.displayStart}, can be shown again.
The old key, ${old.displayStart}, stops ${label}.`;
  print(options, { key: apiKey, ...documentOf(record), replaces: documentOf(old) }, text);
}

async function revoke(wanted: string, options: JsonOption): Promise<void> {
  const key = await withDatabase(async (db) => {
    const { id } = await findKey(db, wanted);
    await revokeKey(db, id);
    return await findKey(db, id);
  });
  print(options, documentOf(key), `The key ${key.displayStart} (${key.id}) is revoked.`);
}

/** Finds a key by its id, its first characters or its full text. Messages never contain the full text of a key. */
async function findKey(db: Database, wanted: string): Promise<KeyRecord> {
  const whole = parseApiKey(wanted) === undefined ? undefined : await idOfWhole(db, wanted);
  const keys = await listKeys(db);
  const matches = keys.filter(({ id, displayStart }) =>
    parseApiKey(wanted) === undefined ? id === wanted || displayStart === wanted : id === whole,
  );
  const [match, ...others] = matches;
  if (match !== undefined && others.length === 0) return match;
  const shown = wanted.startsWith('vt_') ? startOf(wanted) : wanted;
  if (match === undefined) {
    throw new Refusal(
      'unknown_key',
      `There is no API key "${shown}"; npx vitruvia keys list shows them.`,
    );
  }
  const ids = matches.map(({ id }) => id).join(', ');
  throw new Refusal('ambiguous_key', `Several keys start with "${shown}"; give an id: ${ids}.`);
}

async function idOfWhole(db: Database, apiKey: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .select('id')
    .where('hash', '=', hashApiKey(apiKey))
    .executeTakeFirst();
  return row?.id;
}

function documentOf(key: KeyRecord) {
  return {
    id: key.id,
    account: key.accountId,
    mode: key.mode,
    name: key.name,
    displayStart: key.displayStart,
    createdAt: isoTime(key.createdAtMs),
    revokedAt: isoTime(key.revokedAtMs),
    endsAt: isoTime(key.endsAtMs),
  };
}
