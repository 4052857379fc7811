import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
import type { Primary } from '../cluster/primary.js';

/** A process that has not answered by then is left out of this reading. */
const TIMEOUT_MS = 2000;

/** The metrics of all processes as one text. */
export interface ClusterMetrics {
  text(): Promise<string>;
  readonly contentType: string;
}

/** Adds up the metrics of the processes whenever they are read, and counts the processes. */
export function createClusterMetrics(
  primary: Pick<Primary, 'listening' | 'respawns'>,
): ClusterMetrics {
  const registry = createPrimaryRegistry(primary);
  return {
    contentType: registry.contentType,
    async text() {
      const asked = primary.listening.map((child) => child.metrics(TIMEOUT_MS));
      const answered = (await Promise.all(asked)).filter((metrics) => metrics !== undefined);
      const sums = await AggregatorRegistry.aggregate(answered).metrics();
      return sums + (await registry.metrics());
    },
  };
}

/** The primary's own metrics. */
export function createPrimaryRegistry(primary: Pick<Primary, 'listening' | 'respawns'>): Registry {
  const registry = new Registry();
  new Gauge({
    name: 'vitruvia_processes',
    help: 'Processes of serve --workers that listen.',
    registers: [registry],
    collect() {
      this.set(primary.listening.length);
    },
  });
  new Counter({
    name: 'vitruvia_process_respawns_total',
    help: 'Processes of serve --workers started to replace one that had ended.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(primary.respawns);
    },
  });
  return registry;
}
