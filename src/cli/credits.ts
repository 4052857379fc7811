import { type Command, Option } from 'commander';
import { findAccount } from '../accounts/accounts.js';
import { balanceOf, correctCredits, grantCredits } from '../accounts/credits.js';
import { debtOf, forgiveDebt, listDebtors } from '../accounts/debts.js';
import { MODES, type Mode, TEST_CREDITS_PER_DAY } from '../core/billing-terms.js';
import { BY_OPTION, type ByOption, logOperator } from './operator-log.js';
import { isoTime, JSON_OPTION, type JsonOption, numberArgument, print, table } from './output.js';
import { unbookedOfAccount, unbookedText } from './unbooked.js';
import { withDatabase } from './with-database.js';

const EXAMPLES = `
Examples:
  npx vitruvia credits grant --account acme --amount 500
  npx vitruvia credits grant --account acme --amount 100 --mode test
  npx vitruvia credits correct --account acme --amount -30 --reason 'invoice 17 was booked twice'
  npx vitruvia credits show --account acme
  npx vitruvia credits debts
  npx vitruvia credits forgive --account acme --cause 'agreed on 22 November'
`;

/** Adds `credits grant`, `credits correct`, `credits show`, `credits debts` and `credits forgive`. */
export function creditsCommand(command: Command): void {
  command.addHelpText('after', EXAMPLES);
  command
    .command('grant')
    .description('book credits for an account; a running service can spend them within a second')
    .requiredOption('--account <account>', 'id or name of the account')
    .requiredOption('--amount <credits>', 'whole credits, 1 or more', numberArgument)
    .addOption(modeOption())
    .option('--cause <text>', 'makes the command safe to repeat: a cause is booked only once')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  npx vitruvia credits grant --account acme --amount 500\n')
    .action(grant);
  command
    .command('correct')
    .description('correct credits up or down; a running service sees it within a second')
    .requiredOption('--account <account>', 'id or name of the account')
    .requiredOption(
      '--amount <credits>',
      'whole credits, such as 30; -30 takes 30 of those that are left',
      numberArgument,
    )
    .requiredOption(
      '--reason <text>',
      'why; the customer can read it in the ledger, and it is booked once for an account',
    )
    .addOption(modeOption())
    .option(...BY_OPTION)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      "\nExample:\n  npx vitruvia credits correct --account acme --amount -30 --reason 'invoice 17 was booked twice'\n",
    )
    .action(correct);
  command
    .command('show')
    .description('show the paid balances of an account, and what is not booked yet')
    .requiredOption('--account <account>', 'id or name of the account')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  npx vitruvia credits show --account acme --json\n')
    .action(show);
  debtCommands(command);
}

const modeOption = () =>
  new Option('--mode <mode>', `ledger they go to (test: at most ${TEST_CREDITS_PER_DAY} a day)`)
    .choices(MODES)
    .default('live');

function debtCommands(command: Command): void {
  command
    .command('debts')
    .description('list the accounts that owe credits for reversed payments, the largest debt first')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  npx vitruvia credits debts\n')
    .action(debts);
  command
    .command('forgive')
    .description('forgive what an account owes; a running service sees it within a second')
    .requiredOption('--account <account>', 'id or name of the account')
    .requiredOption('--cause <text>', 'why; it is stored, and booked once for an account')
    .option('--amount <credits>', 'whole credits, 1 or more; by default all', numberArgument)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      "\nExample:\n  npx vitruvia credits forgive --account acme --cause 'agreed on 22 November'\n",
    )
    .action(forgive);
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
  const { accountId, balance, applied, debt } = await withDatabase(async (db) => ({
    ...(await grantCredits(db, account, mode, amount, more)),
    debt: await debtOf(db, account),
  }));
  const text = applied
    ? `Granted ${amount} ${mode} credits to ${account}; the balance is ${balance}.`
    : `This cause was booked before; nothing changed.`;
  const note =
    debt === 0
      ? ''
      : `\nThe account owes ${debt} live credits, so its live keys are refused. A grant does not pay them: see credits forgive.`;
  print(options, { account: accountId, mode, amount, balance, applied, debt }, text + note);
}

interface CorrectOptions extends JsonOption, ByOption {
  readonly account: string;
  readonly amount: number;
  readonly mode: Mode;
  readonly reason: string;
}

async function correct(options: CorrectOptions): Promise<void> {
  const { account, amount, mode, reason } = options;
  const { accountId, balance, applied } = await withDatabase((db) =>
    correctCredits(db, account, mode, amount, reason),
  );
  const document = { account: accountId, mode, amount, balance, applied };
  logOperator(options, 'credits correct', { ...document, reason });
  const text = applied
    ? `Corrected the ${mode} credits of ${account} by ${amount}; the balance is ${balance}.`
    : 'This reason was booked before for this account; nothing changed.';
  print(options, document, text);
}

async function show(options: JsonOption & { readonly account: string }): Promise<void> {
  const document = await withDatabase(async (db) => {
    const { id, name, partition } = await findAccount(db, options.account);
    const live = await balanceOf(db, id, 'live');
    const test = await balanceOf(db, id, 'test');
    const unbooked = await unbookedOfAccount({ accountId: id, partition });
    return { account: id, name, balances: { live, test }, debt: await debtOf(db, id), unbooked };
  });
  const { account, name, balances, debt, unbooked } = document;
  const rows = Object.entries(balances).map(([mode, credits]) => [mode, String(credits)]);
  if (debt > 0) rows.push(['owed', String(debt)]);
  const notes =
    unbooked?.charges == null
      ? [unbooked?.why ?? '']
      : Object.entries(unbooked.charges).map(([mode, charges]) => {
          const text = unbookedText(charges);
          return text === '' ? '' : `${mode}: ${text}`;
        });
  const lines = [`${name} (${account})`, table(rows), ...notes.filter((note) => note !== '')];
  print(options, { ...document, unbooked: unbooked?.charges }, lines.join('\n'));
}

async function debts(options: JsonOption): Promise<void> {
  const debtors = (await withDatabase(listDebtors)).map(({ changedAtMs, ...debtor }) => ({
    account: debtor.accountId,
    name: debtor.name,
    credits: debtor.credits,
    changedAt: isoTime(changedAtMs),
  }));
  const rows = debtors.map((one) => [one.account, String(one.credits), one.changedAt, one.name]);
  const text =
    debtors.length === 0
      ? 'No account owes credits.'
      : table([['ID', 'CREDITS', 'CHANGED', 'NAME'], ...rows]);
  print(options, debtors, text);
}

interface ForgiveOptions extends JsonOption {
  readonly account: string;
  readonly cause: string;
  readonly amount?: number;
}

async function forgive(options: ForgiveOptions): Promise<void> {
  const { account, cause, amount } = options;
  const more = amount === undefined ? {} : { creditsMax: amount };
  const result = await withDatabase((db) => forgiveDebt(db, account, { cause, ...more }));
  const { accountId, forgiven, debt } = result;
  const text = `Forgave ${forgiven} credits that ${account} owed; it owes ${debt} now.`;
  print(options, { account: accountId, forgiven, debt }, text);
}
