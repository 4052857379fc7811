import { collectDefaultMetrics, Registry } from 'prom-client';
import type { WorkerObserver } from '../billing/worker/drain.js';
import type { Backlog } from '../billing/worker/unbooked.js';
import type { ReadableMetrics } from './listener.js';
import { metricsIn } from './registry.js';

/** Work that waits for a worker. */
export interface WaitingWork extends Backlog {
  /** How long the oldest change to keys or credits has waited to reach Redis, seconds. */
  readonly outboxLagSeconds: number;
  /** Share of its memory limit that Redis uses, 0 to 1. */
  readonly redisMemoryShare: number;
}

/** A worker's Prometheus metrics and the hooks that feed them. */
export interface WorkerMetrics extends ReadableMetrics {
  readonly observer: WorkerObserver;
}

/** Histogram bounds for the time of a batch, seconds: from a millisecond to ten seconds. */
const BUCKETS_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10];

/**
 * Creates the metrics in a registry of their own.
 *
 * @param waiting what the gauges read
 */
export function createWorkerMetrics(waiting: () => Promise<WaitingWork>): WorkerMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const { counter, histogram, readGauges } = metricsIn(registry);
  const booked = counter('vitruvia_drained_events_total', 'Usage events booked in the ledger.');
  const known = counter(
    'vitruvia_drained_again_total',
    'Events that were already in the ledger: a worker had died between commit and removal.',
  );
  const forgiven = counter(
    'vitruvia_forgiven_credits_total',
    'Credits forgiven because charges or credits were lost in Redis.',
  );
  const dead = counter('vitruvia_dead_letters_total', 'Events that could not be booked.');
  const drifts = counter(
    'vitruvia_drifts_total',
    'Wrong numbers in Redis that were found and repaired, by counter.',
    ['counter'],
  );
  const failures = counter(
    'vitruvia_job_failures_total',
    'Failed attempts at a job, which is tried again.',
    ['job'],
  );
  const seconds = histogram(
    'vitruvia_drain_batch_seconds',
    'Time from reading a batch to its commit.',
    BUCKETS_SECONDS,
  );
  readGauges(waiting, [
    [
      'vitruvia_backlog_events',
      'Usage events not yet in the ledger; always includes the last DRAIN_LAG_MS',
      ({ events }) => events,
    ],
    [
      'vitruvia_backlog_age_seconds',
      'Age of the oldest usage event not yet in the ledger; charging stops at BACKLOG_MAX_AGE_SECONDS',
      ({ ageSeconds }) => ageSeconds,
    ],
    [
      'vitruvia_outbox_lag_seconds',
      'How long the oldest change to keys or credits has waited to reach Redis',
      ({ outboxLagSeconds }) => outboxLagSeconds,
    ],
    [
      'vitruvia_redis_memory_share',
      'Share of maxmemory that Redis uses, 0 to 1; the fullest node of a cluster',
      ({ redisMemoryShare }) => redisMemoryShare,
    ],
  ]);
  return {
    observer: {
      batchCommitted(batch) {
        booked.inc(batch.booked);
        known.inc(batch.known);
        forgiven.inc(batch.forgiven);
        dead.inc(batch.dead);
        seconds.observe(batch.seconds);
      },
      driftRepaired: (name) => drifts.inc({ counter: name }),
      jobFailed: (job) => failures.inc({ job }),
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
