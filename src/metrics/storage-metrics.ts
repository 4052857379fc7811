import { Gauge, Histogram, type Registry } from 'prom-client';

/** Histogram bounds for the time of a flush, seconds: from a tenth of a millisecond to a second. */
const BUCKETS_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 1];

/** What the gauges of readiness and disks read. */
export interface StorageSources {
  /** Whether requests can be charged now. */
  readonly ready: () => Promise<boolean>;
  /** Free bytes by disk, such as `database`. */
  readonly freeBytes: () => Readonly<Record<string, number>>;
}

/**
 * Creates the histogram of flushes, which only the embedded gate has. Returns the function that
 * records a flush.
 */
export function flushMetric(registry: Registry): (seconds: number) => void {
  const flushes = new Histogram({
    name: 'vitruvia_flush_seconds',
    help: 'Time that a committed batch of SQLite waited for the flush of its log to the disk.',
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  return (seconds) => flushes.observe(seconds);
}

/**
 * Adds the gauges of readiness and disks. With several processes, the value of the worst process
 * counts.
 */
export function addStorageGauges(registry: Registry, sources: StorageSources): void {
  new Gauge({
    name: 'vitruvia_ready',
    help: '1 if requests can be charged now, otherwise 0; with --workers, of the worst process.',
    aggregator: 'min',
    registers: [registry],
    async collect() {
      this.set((await sources.ready()) ? 1 : 0);
    },
  });
  new Gauge({
    name: 'vitruvia_disk_free_bytes',
    help: 'Free bytes of a disk: artifacts, and database of SQLite.',
    labelNames: ['disk'],
    aggregator: 'min',
    registers: [registry],
    collect() {
      for (const [disk, bytes] of Object.entries(sources.freeBytes())) this.set({ disk }, bytes);
    },
  });
}
