import { Gauge, Histogram, type Registry } from 'prom-client';
import { ComputeError, type Computer } from '../request/pool.js';
import { countersOf } from './activity-metrics.js';

/** Histogram bounds for the time of a computation, seconds: up to the limit of the pool. */
const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];
const OUTCOMES = [
  ...(['answered', 'refused', 'failed', 'left', 'too_long'] as const),
  ...(['full', 'waited', 'spent'] as const),
];
type Outcome = (typeof OUTCOMES)[number];

/**
 * Creates the metrics of computations. Returns a function that wraps a computer and counts its
 * computations.
 */
export function computationMetrics(registry: Registry): (computer: Computer) => Computer {
  const registers = [registry];
  const underWay = new Gauge({
    name: 'vitruvia_computations_under_way',
    help: 'Computed operations and large bodies that threads compute or read, or that wait for that; at most 96 wait.',
    registers,
  });
  const seconds = new Histogram({
    name: 'vitruvia_computation_seconds',
    help: 'Duration of a computation with its time in the queue, by operation; each part of a long answer counts.',
    labelNames: ['operation'],
    buckets: BUCKETS_SECONDS,
    registers,
  });
  const computations = countersOf(registry)(
    'vitruvia_computations_total',
    'Computations by outcome: answered, refused, failed, too_long (20 s of processor time), left (the client hung up); not begun: full (no place), waited (too long), spent (the account has used its processor time).',
    ['outcome'],
  );
  for (const outcome of OUTCOMES) computations.inc({ outcome }, 0);
  return (computer) => ({
    async compute(task, left) {
      const operation = task.reads === undefined ? task.operation : 'read body';
      const end = seconds.startTimer({ operation });
      underWay.inc();
      let outcome: Outcome = 'failed';
      try {
        const result = await computer.compute(task, left);
        // A long answer is computed part by part; each part counts.
        const isRefused = result.kind === 'problem' || result.kind === 'no_such_version';
        outcome = isRefused ? 'refused' : 'answered';
        end();
        return result;
      } catch (error) {
        if (error instanceof ComputeError) outcome = error.reason;
        throw error;
      } finally {
        underWay.dec();
        computations.inc({ outcome });
      }
    },
  });
}
