import { createWriteStream, existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { findAccount } from '../accounts/accounts.js';
import { MODES, type Mode } from '../core/billing-terms.js';
import { publishFile } from '../database/copy-sqlite.js';
import { Refusal } from '../failure.js';
import { ledgerCsv } from '../ledger/ledger-csv.js';
import { verifyLedger } from '../ledger/verify-ledger.js';
import { BY_OPTION, type ByOption, logOperator } from './operator-log.js';
import { JSON_OPTION, type JsonOption, print, table } from './output.js';
import { unbookedOfAll, unbookedText } from './unbooked.js';
import { withDatabase } from './with-database.js';

/** Adds `ledger verify` and `ledger export`. */
export function ledgerCommand(command: Command): void {
  command
    .command('verify')
    .description(
      'compare every balance and every day of usage with the ledger; reads all of it, and says what is not booked yet',
    )
    .option(...JSON_OPTION)
    .action(verify);
  command
    .command('export')
    .description('write every entry of an account as CSV, also of a deleted account')
    .requiredOption('--account <account>', 'id or name of the account')
    .addOption(new Option('--mode <mode>', 'live or test ledger').choices(MODES).default('live'))
    .option('--output <file>', 'a file that does not exist; by default standard output')
    .option(...BY_OPTION)
    .option(JSON_OPTION[0], `${JSON_OPTION[1]} about the file; needs --output`)
    .addHelpText(
      'after',
      '\nExample:\n  npx vitruvia ledger export --account acme --output acme.csv\n',
    )
    .action((options: ExportOptions) => exportLedger(command, options));
}

interface ExportOptions extends JsonOption, ByOption {
  readonly account: string;
  readonly mode: Mode;
  readonly output?: string;
}

async function exportLedger(command: Command, options: ExportOptions): Promise<void> {
  const { mode, output, json } = options;
  if (json && output === undefined) {
    command.error('error: --json describes a file; add --output <file>');
  }
  const id = await withDatabase(async (db) => {
    const account = await findAccount(db, options.account);
    const lines = Readable.from(ledgerCsv(db, account.id, mode));
    if (output === undefined) await pipeline(lines, process.stdout, { end: false });
    else await writeNewFile(output, lines);
    return account.id;
  }, 'bulk');
  logOperator(options, 'ledger export', { account: id, mode });
  if (output !== undefined) {
    print(options, { account: id, mode, file: output }, `${output}: the ${mode} ledger of ${id}`);
  }
}

/** Writes a file that only its owner can read. A file with that name is complete. */
async function writeNewFile(file: string, lines: Readable): Promise<void> {
  if (existsSync(file)) throw new Refusal('file_exists', `${file} exists; name another file.`);
  const unfinished = `${file}.part`;
  await pipeline(lines, createWriteStream(unfinished, { mode: 0o600 }));
  publishFile(unfinished, file);
}

async function verify(options: JsonOption): Promise<void> {
  const drifts = await withDatabase(verifyLedger, 'bulk');
  const note = await unbookedOfAll();
  const unbooked = note?.charges;
  const open = note?.charges == null ? (note?.why ?? '') : unbookedText(note.charges);
  if (drifts.length === 0) {
    const agrees = 'Every balance and every day of usage agrees with the ledger.';
    print(options, { drifts, unbooked }, open === '' ? agrees : `${agrees}\n${open}`);
    return;
  }
  const rows = drifts.map(({ accountId, mode, figure, stored, ledger }) =>
    [accountId, mode, figure, stored ?? 'none', ledger ?? 'none'].map(String),
  );
  const lines = table([['account', 'mode', 'figure', 'stored', 'ledger'], ...rows]);
  const message = `Figures differ from the ledger: ${drifts.length}.\n${lines}\n${open}`.trimEnd();
  throw new Refusal('ledger_differs', message, 1, { drifts, unbooked });
}
