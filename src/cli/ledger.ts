import type { Command } from 'commander';
import { Refusal } from '../failure.js';
import { verifyLedger } from '../ledger/verify-ledger.js';
import { JSON_OPTION, type JsonOption, print, table } from './output.js';
import { unbookedOfAll, unbookedText } from './unbooked.js';
import { withDatabase } from './with-database.js';

/** Adds `ledger verify`. */
export function ledgerCommand(command: Command): void {
  command
    .command('verify')
    .description(
      'compare every balance and every day of usage with the ledger; reads all of it, and says what is not booked yet',
    )
    .option(...JSON_OPTION)
    .action(verify);
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
