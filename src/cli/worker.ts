import type { Command } from 'commander';
import { type Config, readConfig, requireStores } from '../config.js';
import { IDEMPOTENCY_TTL_HOURS } from '../core/billing-terms.js';
import { awaitStores } from './await-stores.js';
import { JSON_OPTION, type JsonOption, print } from './output.js';

const NOTES = `
A service of many nodes needs workers (REDIS_URL and DATABASE_URL=postgres://…). A worker books usage
in the ledger, copies credits and revoked keys to Redis, compares Redis with the ledger and repairs
differences, and deletes idempotent answers after ${IDEMPOTENCY_TTL_HOURS} hours. Any number of workers share the work.
A worker writes the log to standard error, one JSON object per line. On SIGTERM and SIGINT it finishes
the current batches and ends with exit code 0. If it is killed, no work is lost or done twice. At its
start it waits for Redis and PostgreSQL for ten seconds at most, and then ends with exit code 1.

Environment: REDIS_URL, DATABASE_URL, HOST and METRICS_PORT (Prometheus metrics), LOG_LEVEL,
DRAIN_LAG_MS (age at which usage is booked, 4000), RECONCILE_INTERVAL_SECONDS (300).

Example:
  REDIS_URL=redis://redis:6379 DATABASE_URL=postgres://vitruvia:…@db:5432/vitruvia npx vitruvia worker
`;

/** Adds the options of `worker`. */
export function workerCommand(command: Command): void {
  command
    .option('--json', `${JSON_OPTION[1]} once it runs`)
    .addHelpText('after', NOTES)
    .action(work);
}

async function work(options: JsonOption): Promise<void> {
  const config: Config = readConfig(process.env);
  // Before the worker is loaded, which takes long.
  requireStores(config);
  await awaitStores(config);
  const { startWorker } = await import('../worker.js');
  const worker = await startWorker(config, 2);
  try {
    const { closeOnSignals } = await import('../signals.js');
    await closeOnSignals(worker);
    const { metricsAddress } = worker;
    const metrics = metricsAddress === undefined ? '' : `\nMetrics: ${metricsAddress}/metrics`;
    print(options, { metricsAddress }, `The worker is running.${metrics}`);
  } catch (error) {
    await worker.close();
    throw error;
  }
}
