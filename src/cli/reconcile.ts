import type { Command } from 'commander';
import type { Drift } from '../billing/worker/compare.js';
import type { Reconciled } from '../billing/worker/reconcile.js';
import { type Config, readConfig, requireStores } from '../config.js';
import { Refusal } from '../failure.js';
import { JSON_OPTION, type JsonOption, print, table } from './output.js';

const NOTES = `
Compares each account in Redis with the ledger and the usage that is not yet booked, and corrects
Redis where it differs. Workers do the same every RECONCILE_INTERVAL_SECONDS. The command can run at
any time, while nodes and workers run. Each difference is logged and stored as a row of the table
drifts. Exit code 1 (code drift_found) says that there was a difference.

Environment: REDIS_URL, DATABASE_URL, LOG_LEVEL.

Example:
  npx vitruvia reconcile --json
`;

/** Adds the options of `reconcile`. */
export function reconcileCommand(command: Command): void {
  command
    .option(...JSON_OPTION)
    .addHelpText('after', NOTES)
    .action(reconcile);
}

async function reconcile(options: JsonOption): Promise<void> {
  const config: Config = readConfig(process.env);
  requireStores(config);
  const { reconcileAll } = await import('./reconcile-all.js');
  const { accounts, drifts } = await reconcileAll(config);
  if (drifts.length > 0) throw found({ accounts, drifts });
  print(options, { accounts, drifts }, `No drift. Accounts compared: ${accounts}.`);
}

function found({ accounts, drifts }: Reconciled): Refusal {
  const rows = drifts.map(({ accountId, mode, counter, found, expected }: Drift) =>
    [accountId, mode, counter, found, expected].map(String),
  );
  const lines = table([['account', 'mode', 'counter', 'Redis had', 'set to'], ...rows]);
  const message = `Drift was found and repaired. Accounts compared: ${accounts}.\n${lines}`;
  return new Refusal('drift_found', message, 1, { accounts, drifts });
}
