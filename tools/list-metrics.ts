// The tables of metrics and alerts of docs/metrics.md. They come from the program and deploy/alerts.yaml.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { createPrimaryRegistry } from '../src/metrics/cluster-metrics.js';
import { createMetrics } from '../src/metrics/service-metrics.js';
import { createWorkerMetrics } from '../src/metrics/worker-metrics.js';

/** A rule of Prometheus. */
export interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  /** What the alert means, and what to do. */
  readonly annotations: { readonly summary: string; readonly description: string };
}

const projectFile = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** The rules of deploy/alerts.yaml. */
export function readRules(): readonly Rule[] {
  return parse(readFileSync(projectFile('deploy/alerts.yaml'), 'utf8')).groups[0].rules;
}

/** Work that waits for a worker: none. */
const waiting = { events: 0, ageSeconds: 0, outboxLagSeconds: 0, redisMemoryShare: 0 };

/** The text that each kind of process serves at `/metrics`. The API is included with both gates. */
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
    backlog: async () => waiting,
  });
  return {
    API: await api.text(),
    worker: await createWorkerMetrics(async () => waiting).text(),
    '`--workers`': await createPrimaryRegistry({ listening: [], respawns: 0 }).metrics(),
  };
}

/** Names of this program's metrics in a text of `/metrics`. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(/^# TYPE (vitruvia_\w+) /gm)].map(([, name]) => String(name));
}

/** Returns the document with tables of the present metrics and alerts. */
export async function withMetricTables(text: string): Promise<string> {
  const metrics = Object.entries(await servedMetrics()).flatMap(([place, served]) =>
    [...served.matchAll(/^# HELP (vitruvia_\w+) (.+)$/gm)].map(
      ([, name, help = '']) =>
        `| \`${name}\` | ${place} | ${help.replace(/(; NaN when it cannot be read)?\.$/, '')} |`,
    ),
  );
  const alerts = readRules().map(({ alert, labels, annotations, ...rule }) => {
    const wait = rule.for === '0m' ? '' : ` after ${rule.for}`;
    const { summary, description } = annotations;
    return `| \`${alert}\` | ${labels.severity}${wait} | ${summary} | ${description} |`;
  });
  return withTable(withTable(text, '| metric |', metrics), '| alert |', alerts);
}

/** Replaces the rows below the two heading lines of the table whose heading begins with these words. */
function withTable(text: string, heading: string, rows: readonly string[]): string {
  const start = text.indexOf(`\n${heading}`) + 1;
  const end = text.indexOf('\n\n', start);
  const head = text.slice(start, end).split('\n').slice(0, 2);
  return text.slice(0, start) + [...head, ...rows].join('\n') + text.slice(end);
}
