import { createPrimaryRegistry } from '../../src/metrics/cluster-metrics.js';
import { createMetrics } from '../../src/metrics/service-metrics.js';
import { createWorkerMetrics } from '../../src/metrics/worker-metrics.js';

/** What each kind of process serves at `/metrics`, as text; the API with both gates. */
export async function servedMetrics(): Promise<Readonly<Record<string, string>>> {
  const api = createMetrics();
  api.redisGate();
  api.embeddedGate();
  api.watch({
    pendingSteps: () => 0,
    artifactVersion: () => '',
    debts: async () => ({ accounts: 0, credits: 0 }),
    refunds: async () => ({ refunds: 0, creditsTaken: 0, creditsMissing: 0 }),
    waitingEmails: () => 0,
    ready: async () => true,
    freeBytes: () => ({ artifacts: 0, database: 0 }),
    backlog: async () => ({ events: 0, ageSeconds: 0 }),
  });
  return {
    API: await api.text(),
    worker: await createWorkerMetrics().text(),
    '`--workers`': await createPrimaryRegistry({ listening: [], respawns: 0 }).metrics(),
  };
}

/** Names of this program's metrics in a text of `/metrics`. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(/^# TYPE (vitruvia_\w+) /gm)].map(([, name]) => String(name));
}
