import type { Command } from 'commander';
import { type Account, createAccount, listAccounts } from '../accounts/accounts.js';
import { isoTime, JSON_OPTION, type JsonOption, print, table } from './output.js';
import { withDatabase } from './with-database.js';

const EXAMPLES = `
Examples:
  npx vitruvia accounts create --name acme
  npx vitruvia accounts list --json
`;

/** Adds `accounts create` and `accounts list`. */
export function accountsCommand(command: Command): void {
  command.addHelpText('after', EXAMPLES);
  command
    .command('create')
    .description('create an account without credits; keys create makes its keys')
    .requiredOption('--name <name>', '1 to 100 characters, and not the name of another account')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  npx vitruvia accounts create --name acme\n')
    .action(create);
  command
    .command('list')
    .description('list all accounts, oldest first')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  npx vitruvia accounts list --json\n')
    .action(list);
}

async function create(options: JsonOption & { readonly name: string }): Promise<void> {
  const account = await withDatabase((db) => createAccount(db, options.name));
  const hint = `npx vitruvia keys create --account ${account.id} --mode live`;
  const text = `Account ${account.name} is ${account.id}. Give it a key with:\n  ${hint}`;
  print(options, documentOf(account), text);
}

async function list(options: JsonOption): Promise<void> {
  const accounts = (await withDatabase(listAccounts)).map(documentOf);
  const rows = accounts.map(({ id, name, createdAt }) => [id, createdAt, name]);
  const none = 'No accounts yet; create one with npx vitruvia accounts create --name NAME.';
  const text = accounts.length === 0 ? none : table([['ID', 'CREATED', 'NAME'], ...rows]);
  print(options, accounts, text);
}

function documentOf({ id, name, createdAtMs }: Account) {
  return { id, name, createdAt: isoTime(createdAtMs) };
}
