import { Counter, Histogram, type Registry } from 'prom-client';
import type { RedisGateObserver } from '../billing/redis/observer.js';

/** Histogram bounds for the time of a step, seconds: from a tenth of a millisecond to its deadline. */
const BUCKETS_SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2,
];

/** Creates the metrics of the Redis gate. */
export function gateMetrics(registry: Registry): RedisGateObserver {
  const registers = [registry];
  const steps = new Counter({
    name: 'vitruvia_gate_steps_total',
    help: 'Steps of the Redis gate by outcome, or by the reason for which they failed.',
    labelNames: ['outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'vitruvia_gate_step_seconds',
    help: 'Time of a step of the Redis gate, including look-ups in PostgreSQL.',
    buckets: BUCKETS_SECONDS,
    registers,
  });
  const loads = new Counter({
    name: 'vitruvia_gate_loads_total',
    help: 'Look-ups in PostgreSQL for what Redis did not know, by what was missing.',
    labelNames: ['what'],
    registers,
  });
  return {
    stepped(outcome, took) {
      steps.inc({ outcome });
      seconds.observe(took);
    },
    loaded: (what) => loads.inc({ what }),
  };
}
