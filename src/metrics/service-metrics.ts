import { monitorEventLoopDelay } from 'node:perf_hooks';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { RedisGateObserver } from '../billing/redis/loader.js';
import type { Backlog } from '../billing/worker/unbooked.js';
import type { MeterObserver } from '../request/charging.js';
import { ComputeError, type Computer } from '../request/pool.js';
import {
  type ActivityObserver,
  type ActivitySources,
  activityMetrics,
  addActivityGauges,
} from './activity-metrics.js';
import type { ReadableMetrics } from './listener.js';
import { metricsIn } from './registry.js';

/** Histogram bounds for the time of an answer or a flush, seconds: from a tenth of a millisecond to a second. */
const BUCKETS_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 1];

/** Limits of `src/request/http.ts`. */
const CONNECTION_LIMITS = ['connections', 'answers', 'pipelined', 'unread'] as const;
const SWITCH_OUTCOMES = ['switched', 'unchanged', 'refused'] as const;

/** Values that are read from the running service whenever the metrics are read. */
export interface MetricSources extends ActivitySources, StorageSources {
  readonly pendingSteps: () => number;
  readonly artifactVersion: () => string;
  /** Usage that is not in the ledger yet; only with Redis. */
  readonly backlog?: (() => Promise<Backlog>) | undefined;
  /** Accounts in debt and the credits they owe together. */
  readonly debts: () => Promise<{ readonly accounts: number; readonly credits: number }>;
}

/** Prometheus metrics and the hooks that feed them. */
export interface Metrics extends ReadableMetrics {
  readonly meterObserver: MeterObserver;
  readonly httpObserver: (route: string, status: number, seconds: number) => void;
  /** Is told each time a limit of connections is reached. */
  readonly connectionObserver: (limit: (typeof CONNECTION_LIMITS)[number]) => void;
  /** Is told of users, e-mails and payments. */
  readonly activity: ActivityObserver;
  /** Creates the metric of the embedded gate: how long a batch waits for the disk. */
  embeddedGate(): (seconds: number) => void;
  /** Creates the metrics of the Redis gate, which only a service on Redis has. */
  redisGate(): RedisGateObserver;
  /** A computer whose computations are counted and timed. */
  readonly counted: (computer: Computer) => Computer;
  /** Is called with the outcome of each attempt to switch artifacts. */
  readonly switchObserver: (outcome: (typeof SWITCH_OUTCOMES)[number]) => void;
  /** Sets what the gauges read, once the service is up. */
  watch(sources: MetricSources): void;
  /** The metrics as prom-client passes them between processes. */
  json(): ReturnType<Registry['getMetricsAsJSON']>;
}

/** Creates the metrics in a registry of their own. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const { counter, histogram } = metricsIn(registry);
  collectDefaultMetrics({ register: registry });
  const requests = counter('vitruvia_http_requests_total', 'HTTP answers by route and status.', [
    'route',
    'status',
  ]);
  const seconds = histogram(
    'vitruvia_http_request_seconds',
    'Time from a request’s arrival to its answer, by route.',
    BUCKETS_SECONDS,
    ['route'],
  );
  const answers = counter(
    'vitruvia_charges_total',
    'Answers by operation and source: credits, free, replay (an earlier answer) or none (no cost).',
    ['operation', 'source'],
  );
  const units = counter(
    'vitruvia_charged_units_total',
    'Credits and free calls charged, by operation and source.',
    ['operation', 'source'],
  );
  const refusals = counter(
    'vitruvia_refusals_total',
    'Metered requests that were refused or failed, by operation and code.',
    ['operation', 'code'],
  );
  const keyRefusals = counter(
    'vitruvia_key_refusals_total',
    'Well-formed keys refused, by reason: unknown, or limited (not looked up).',
    ['reason'],
  );
  for (const reason of ['unknown', 'limited'] as const) keyRefusals.inc({ reason }, 0);
  const connections = counter(
    'vitruvia_connection_limits_total',
    'Connections closed and requests refused by a limit: connections, answers, pipelined, unread.',
    ['limit'],
  );
  for (const limit of CONNECTION_LIMITS) connections.inc({ limit }, 0);
  const switches = counter(
    'vitruvia_artifact_switches_total',
    'Attempts to switch artifacts (SIGHUP) by outcome: switched, unchanged or refused.',
    ['outcome'],
  );
  for (const outcome of SWITCH_OUTCOMES) switches.inc({ outcome }, 0);
  return {
    activity: activityMetrics(registry),
    embeddedGate: () => flushMetric(registry),
    redisGate: () => gateMetrics(registry),
    counted: computationMetrics(registry),
    switchObserver: (outcome) => switches.inc({ outcome }),
    connectionObserver: (limit) => connections.inc({ limit }),
    meterObserver: {
      answered(operation, source, cost) {
        answers.inc({ operation, source });
        if (source !== 'replay') units.inc({ operation, source }, cost);
      },
      refused: (operation, code) => refusals.inc({ operation, code }),
      keyRefused: (reason) => keyRefusals.inc({ reason }),
    },
    httpObserver(route, status, took) {
      requests.inc({ route, status });
      seconds.observe({ route }, took);
    },
    watch(sources) {
      addGauges(registry, sources);
      addLoopDelay(registry);
      addDebtGauges(registry, sources);
      addActivityGauges(registry, sources);
      addStorageGauges(registry, sources);
      if (sources.backlog !== undefined) addBacklogGauges(registry, sources.backlog);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
    json: () => registry.getMetricsAsJSON(),
  };
}

/** Interval at which the delay of the event loop is measured, ms. */
const DELAY_RESOLUTION_MS = 10;

/**
 * The longest time for which something held the event loop since the metrics were last read. The averages
 * of Node's own metrics hide a single long hold.
 */
function addLoopDelay(registry: Registry): void {
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  delay.enable();
  metricsIn(registry).gauge(
    'vitruvia_event_loop_delay_seconds',
    'Longest delay of the event loop since the last reading; all requests of the process waited so long.',
    () => {
      // The measured time is the time between two beats, which is that resolution in an idle process.
      const seconds = Math.max(0, delay.max / 1e6 - DELAY_RESOLUTION_MS) / 1000;
      delay.reset();
      return seconds;
    },
    // A reading of several processes shows the slowest.
    'max',
  );
}

function addGauges(registry: Registry, sources: MetricSources): void {
  metricsIn(registry).gauge(
    'vitruvia_gate_pending_steps',
    'Charging steps in progress; thousands mean that Redis or the disk is slow.',
    sources.pendingSteps,
  );
  new Gauge({
    name: 'vitruvia_artifact_info',
    help: 'Always 1; version names the artifacts that are served.',
    labelNames: ['version'],
    // Several processes that serve one version still add up to 1.
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.reset();
      this.set({ version: sources.artifactVersion() }, 1);
    },
  });
}

/** The gauges of usage that waits for a worker: the workers serve them too, but they may all be gone. */
function addBacklogGauges(registry: Registry, read: () => Promise<Backlog>): void {
  metricsIn(registry).readGauges(read, [
    [
      'vitruvia_backlog_events',
      'Usage events not yet in the ledger, also when all workers are gone',
      ({ events }) => events,
    ],
    [
      'vitruvia_backlog_age_seconds',
      'Age of the oldest usage event not yet in the ledger, also when all workers are gone',
      ({ ageSeconds }) => ageSeconds,
    ],
  ]);
}

/** The gauges of debts. */
function addDebtGauges(registry: Registry, { debts }: MetricSources): void {
  metricsIn(registry).readGauges(debts, [
    [
      'vitruvia_accounts_in_debt',
      'Accounts that owe credits; the same at every process',
      ({ accounts }) => accounts,
    ],
    [
      'vitruvia_debt_credits',
      'Credits that accounts owe for reversed payments; the same at every process',
      ({ credits }) => credits,
    ],
  ]);
}

/** Histogram bounds for the time of a step, seconds: from a tenth of a millisecond to its deadline. */
const STEP_BUCKETS_SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2,
];

/** Creates the metrics of the Redis gate. */
function gateMetrics(registry: Registry): RedisGateObserver {
  const { counter, histogram } = metricsIn(registry);
  const steps = counter(
    'vitruvia_gate_steps_total',
    'Steps of the Redis gate by outcome, or by the reason of their failure.',
    ['outcome'],
  );
  const seconds = histogram(
    'vitruvia_gate_step_seconds',
    'Duration of a step of the Redis gate, including look-ups in PostgreSQL.',
    STEP_BUCKETS_SECONDS,
  );
  const loads = counter(
    'vitruvia_gate_loads_total',
    'Look-ups in PostgreSQL of entries that Redis did not know, by what; many after Redis was emptied.',
    ['what'],
  );
  return {
    stepped(outcome, took) {
      steps.inc({ outcome });
      seconds.observe(took);
    },
    loaded: (what) => loads.inc({ what }),
  };
}

/** Sources of the gauges of readiness and disks. */
interface StorageSources {
  /** Whether requests can be charged now. */
  readonly ready: () => Promise<boolean>;
  /** Free bytes by disk, such as `database`. */
  readonly freeBytes: () => Readonly<Record<string, number>>;
}

/**
 * Creates the histogram of flushes, which only the embedded gate has. Returns the function that
 * records a flush.
 */
function flushMetric(registry: Registry): (seconds: number) => void {
  const flushes = metricsIn(registry).histogram(
    'vitruvia_flush_seconds',
    'Time that a committed batch of SQLite waited for the flush of its log to the disk.',
    BUCKETS_SECONDS,
  );
  return (seconds) => flushes.observe(seconds);
}

/**
 * Adds the gauges of readiness and disks. With several processes, the value of the worst process
 * counts.
 */
function addStorageGauges(registry: Registry, sources: StorageSources): void {
  metricsIn(registry).gauge(
    'vitruvia_ready',
    '1 if requests can be charged now, otherwise 0; with --workers, of the worst process.',
    async () => ((await sources.ready()) ? 1 : 0),
    'min',
  );
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

/** Histogram bounds for the time of a computation, seconds: up to the limit of the pool. */
const COMPUTATION_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];
const OUTCOMES = [
  ...(['answered', 'refused', 'failed', 'left', 'too_long'] as const),
  ...(['full', 'waited', 'spent'] as const),
];
type Outcome = (typeof OUTCOMES)[number];

/**
 * Creates the metrics of computations. Returns a function that wraps a computer and counts its
 * computations.
 */
function computationMetrics(registry: Registry): (computer: Computer) => Computer {
  const { counter, histogram } = metricsIn(registry);
  const underWay = new Gauge({
    name: 'vitruvia_computations_under_way',
    help: 'Computed operations and large bodies that threads compute or read, or that wait for that; at most 96 wait.',
    registers: [registry],
  });
  const seconds = histogram(
    'vitruvia_computation_seconds',
    'Duration of a computation with its time in the queue, by operation; each part of a long answer counts.',
    COMPUTATION_BUCKETS_SECONDS,
    ['operation'],
  );
  const computations = counter(
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
