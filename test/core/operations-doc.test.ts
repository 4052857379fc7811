import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectDir } from '../../src/core/project-dir.js';
import { createPrimaryRegistry } from '../../src/metrics/cluster-metrics.js';
import { createMetrics } from '../../src/metrics/service-metrics.js';
import { createWorkerMetrics } from '../../src/metrics/worker-metrics.js';

const document = readFileSync(join(projectDir(), 'docs/operations.md'), 'utf8');

function namesIn(text: string): string[] {
  return [...text.matchAll(/^# TYPE (vitruvia_\w+) /gm)].map(([, name]) => String(name));
}

describe('docs/operations.md', () => {
  it('lists every metric with the place that serves it, and no other', async () => {
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
      freeBytes: () => ({ artifacts: 0 }),
    });
    const served = {
      API: namesIn(await api.text()),
      worker: namesIn(await createWorkerMetrics().text()),
      '`--workers`': namesIn(await createPrimaryRegistry({ listening: [], respawns: 0 }).metrics()),
    };
    const rows = [...document.matchAll(/^\| `(vitruvia_\w+)` +\| (\S+) +\|/gm)];
    for (const [where, names] of Object.entries(served)) {
      const listed = rows.filter(([, , place]) => place === where).map(([, name]) => name);
      expect(listed.sort()).toEqual(names.sort());
    }
    expect(rows).toHaveLength(Object.values(served).flat().length);
  });

  it('has alerts only on metrics that exist', () => {
    const alerts = document.slice(document.indexOf('## Alerts'));
    const named = [...alerts.matchAll(/vitruvia_\w+?(?=_bucket|\b)/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(5);
    for (const name of named) expect(document).toMatch(new RegExp(`^\\| \`${name}\` `, 'm'));
  });
});
