import { type Command, Option } from 'commander';
import { findAccount } from '../accounts/accounts.js';
import { balanceOf, grantCredits } from '../accounts/credits.js';
import { MODES, type Mode, TEST_CREDITS_PER_DAY } from '../core/billing-terms.js';
import { JSON_OPTION, type JsonOption, numberArgument, print, table } from './output.js';
import { withDatabase } from './with-database.js';

const EXAMPLES = `
Examples:
  npx vitruvia credits grant --account acme --amount 500
  npx vitruvia credits grant --account acme --amount 100 --mode test
  npx vitruvia credits show --account acme
`;

/** Adds `credits grant` and `credits show`. */
export function creditsCommand(command: Command): void {
  command.addHelpText('after', EXAMPLES);
  command
    .command('grant')
    .description('book credits for an account; a running service can spend them within a second')
    .requiredOption('--account <account>', 'id or name of the account')
    .requiredOption('--amount <credits>', 'whole credits, 1 or more', numberArgument)
    .addOption(
      new Option('--mode <mode>', `ledger they go to (test: at most ${TEST_CREDITS_PER_DAY} a day)`)
        .choices(MODES)
        .default('live'),
    )
    .option('--cause <text>', 'makes the command safe to repeat: a cause is booked only once')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  npx vitruvia credits grant --account acme --amount 500\n')
    .action(grant);
  command
    .command('show')
    .description('show the paid balances of an account')
    .requiredOption('--account <account>', 'id or name of the account')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  npx vitruvia credits show --account acme --json\n')
    .action(show);
}

interface GrantOptions extends JsonOption {
  readonly account: string;
  readonly amount: number;
  readonly mode: Mode;
  readonly cause?: string;
}

async function grant(options: GrantOptions): Promise<void> {
  const { account, amount, mode, cause } = options;
  const more = cause === undefined ? {} : { cause };
  const granted = await withDatabase((db) => grantCredits(db, account, mode, amount, more));
  const { accountId, balance, applied } = granted;
  const text = applied
    ? `Granted ${amount} ${mode} credits to ${account}; the balance is ${balance}.`
    : `This cause was booked before; nothing changed.`;
  print(options, { account: accountId, mode, amount, balance, applied }, text);
}

async function show(options: JsonOption & { readonly account: string }): Promise<void> {
  const document = await withDatabase(async (db) => {
    const { id, name } = await findAccount(db, options.account);
    const live = await balanceOf(db, id, 'live');
    const test = await balanceOf(db, id, 'test');
    return { account: id, name, balances: { live, test } };
  });
  const { account, name, balances } = document;
  const rows = Object.entries(balances).map(([mode, credits]) => [mode, String(credits)]);
  print(options, document, `${name} (${account})\n${table(rows)}`);
}
