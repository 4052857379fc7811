import { AggregatorRegistry, Counter, Registry } from 'prom-client';
import type { ReadableMetrics } from './listener.js';
import { metricsIn } from './registry.js';

/** The metrics of one process, as prom-client passes them between processes. */
export type MetricsJson = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** The processes of `serve --workers`, as the metrics need to know them. */
export interface ServingProcesses {
  /** The processes that listen now. */
  readonly listening: readonly {
    /** Metrics of the process; undefined if it ends or does not answer in time. */
    metrics(timeoutMs: number): Promise<MetricsJson | undefined>;
  }[];
  /** Number of processes that were started to replace an ended process. */
  readonly respawns: number;
}

/** A process that does not answer within this time is left out of the reading. */
const TIMEOUT_MS = 2000;

/** Sums the metrics of the processes at each reading, and counts the processes themselves. */
export function createClusterMetrics(processes: ServingProcesses): ReadableMetrics {
  const registry = createPrimaryRegistry(processes);
  return {
    contentType: registry.contentType,
    async text() {
      const asked = processes.listening.map((child) => child.metrics(TIMEOUT_MS));
      const answered = (await Promise.all(asked)).filter((metrics) => metrics !== undefined);
      const sums = await AggregatorRegistry.aggregate(answered).metrics();
      return sums + (await registry.metrics());
    },
  };
}

/** The primary's own metrics. */
export function createPrimaryRegistry(processes: ServingProcesses): Registry {
  const registry = new Registry();
  metricsIn(registry).gauge(
    'vitruvia_processes',
    'Processes of serve --workers that listen.',
    () => processes.listening.length,
  );
  new Counter({
    name: 'vitruvia_process_respawns_total',
    help: 'Processes of serve --workers started to replace one that had ended.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(processes.respawns);
    },
  });
  return registry;
}
