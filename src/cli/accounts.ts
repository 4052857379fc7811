import type { Command } from 'commander';
import { type Account, createAccount, listAccounts } from '../accounts/accounts.js';
import { deleteAccount } from '../accounts/closed-accounts.js';
import { BY_OPTION, type ByOption, logOperator } from './operator-log.js';
import { isoTime, JSON_OPTION, type JsonOption, print, table } from './output.js';
import { withDatabase } from './with-database.js';

const EXAMPLES = `
Examples:
  npx vitruvia accounts create --name acme
  npx vitruvia accounts list --json
  npx vitruvia accounts delete --account acme
`;

/** Adds `accounts create`, `accounts list` and `accounts delete`. */
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
  command
    .command('delete')
    .description('delete an account for good: keys, names, address and password; its ledger stays')
    .requiredOption('--account <account>', 'id or name of the account')
    .option(...BY_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  npx vitruvia accounts delete --account acme --by ada\n')
    .action(remove);
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

async function remove(
  options: JsonOption & ByOption & { readonly account: string },
): Promise<void> {
  const { accountId, applied } = await withDatabase((db) => deleteAccount(db, options.account));
  logOperator(options, 'accounts delete', { account: accountId, applied });
  const text = applied
    ? `The account ${accountId} is deleted. Its ledger stays: npx vitruvia ledger export --account ${accountId}.`
    : `The account ${accountId} was deleted before; nothing changed.`;
  print(options, { account: accountId, applied }, text);
}

function documentOf({ id, name, createdAtMs }: Account) {
  return { id, name, createdAt: isoTime(createdAtMs) };
}
