import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { Refusal } from '../failure.js';
import { createLog } from '../log.js';
import { listenForMetrics, type ReadableMetrics } from '../metrics/listener.js';
import type { SwitchOutcome } from '../model-in-use.js';
import type { RunningServer } from '../server.js';
import { Child } from './child.js';
import { BEAT_MS } from './messages.js';

/**
 * Starts `count` processes that serve on one address. It replaces a process that ends or does not answer. All processes
 * map the same artifact files, so they share their memory. A reload goes from process to process and stops at the first
 * one that refuses.
 *
 * @param logFd target of log lines: standard output (1) or standard error (2)
 * @throws Refusal if a process cannot start; then all processes are ended
 */
export async function startCluster(
  config: Config,
  count: number,
  logFd: 1 | 2,
): Promise<RunningServer> {
  const primary = new Primary(count, config.processTimeoutSeconds * 1000, createLog(config, logFd));
  try {
    const address = await primary.start(logFd);
    const metrics = await createMetricsIf(config, primary);
    const listener = await listenForMetrics(config, metrics);
    return {
      address,
      ...(listener === undefined ? {} : { metricsAddress: listener.address }),
      reload: () => primary.reload(),
      async close() {
        await primary.close();
        listener?.close();
      },
    };
  } catch (error) {
    primary.kill();
    throw error;
  }
}

async function createMetricsIf(
  { metricsPort }: Config,
  primary: Primary,
): Promise<ReadableMetrics | undefined> {
  if (metricsPort === undefined) return undefined;
  return (await import('../metrics/cluster-metrics.js')).createClusterMetrics(primary);
}

/** Starts, watches and ends the serving processes. */
export class Primary {
  readonly #log: Logger;
  readonly #count: number;
  readonly #silenceMaxMs: number;
  /** The processes that listen, oldest first. */
  readonly #listening = new Set<Child>();
  readonly #alive = new Set<Child>();
  readonly #closed = new AbortController();
  #respawns = 0;
  #reloading: Promise<SwitchOutcome> = Promise.resolve('unchanged');

  /** @param silenceMaxMs if the event loop of a process stands still for this long, the process is replaced */
  constructor(count: number, silenceMaxMs: number, log: Logger) {
    this.#count = count;
    this.#silenceMaxMs = silenceMaxMs;
    this.#log = log;
  }

  /** The processes that listen now. */
  get listening(): readonly Child[] {
    return [...this.#listening];
  }

  /** Number of processes that were started to replace one that had ended. */
  get respawns(): number {
    return this.#respawns;
  }

  /** Starts all processes. Resolves to the address when all of them listen. */
  async start(logFd: 1 | 2): Promise<string> {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const exec = fileURLToPath(new URL(`./worker.${extension}`, import.meta.url));
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({ exec, args: [String(logFd), String(this.#count)] });
    // No process should outlive the primary, however the primary ends.
    process.on('exit', () => this.kill());
    const beats = setInterval(() => this.#endSilent(), BEAT_MS).unref();
    this.#closed.signal.addEventListener('abort', () => clearInterval(beats));
    const children = Array.from({ length: this.#count }, () => this.#fork());
    let address = '';
    for (const started of children.map((child) => child.started)) {
      const outcome = await started;
      if (typeof outcome !== 'string') {
        throw new Refusal(outcome.code, outcome.message, outcome.exitCode);
      }
      address = outcome;
    }
    for (const child of children) void this.#keepUp(child, new BackOff());
    return address;
  }

  /** Makes each process in turn switch artifacts. Stops at the first process that refuses. */
  reload(): Promise<SwitchOutcome> {
    this.#reloading = this.#reloading.then(async () => {
      let all: SwitchOutcome = 'unchanged';
      for (const child of this.listening) {
        const outcome = await child.reload();
        if (outcome === 'refused') return 'refused';
        if (outcome === 'switched') all = 'switched';
      }
      return all;
    });
    return this.#reloading;
  }

  /** Makes every process finish its requests in flight, and waits until all processes have ended. */
  async close(): Promise<void> {
    this.#closed.abort();
    for (const child of this.#alive) child.stop();
    await Promise.all([...this.#alive].map((child) => child.ended));
  }

  /** Ends every process at once. */
  kill(): void {
    this.#closed.abort();
    for (const child of this.#alive) child.kill();
  }

  #endSilent(): void {
    for (const child of this.#alive) {
      if (!child.endIfSilent(this.#silenceMaxMs)) continue;
      this.#log.error({ silent_pid: child.pid }, 'a process did not answer and was ended');
    }
  }

  #fork(): Child {
    const child = new Child();
    this.#alive.add(child);
    void child.ended.then(() => {
      this.#alive.delete(child);
      this.#listening.delete(child);
    });
    void child.started.then((outcome) => {
      if (typeof outcome === 'string' && this.#alive.has(child)) this.#listening.add(child);
    });
    return child;
  }

  /** Replaces a process whenever it ends, until the service closes. */
  async #keepUp(first: Child, backOff: BackOff): Promise<void> {
    const { signal: closed } = this.#closed;
    for (let child = first; ; ) {
      const listened = await child.started;
      const fromMs = typeof listened === 'string' ? performance.now() : Number.NaN;
      const { code, signal } = await child.ended;
      if (closed.aborted) return;
      const respawn_ms = backOff.next(performance.now() - fromMs || 0);
      const why = typeof listened === 'string' ? undefined : listened.message;
      this.#log.error({ ended_pid: child.pid, code, signal, why, respawn_ms }, 'a process ended');
      try {
        await sleep(respawn_ms, undefined, { signal: closed });
      } catch {
        return; // The service is closing.
      }
      this.#respawns += 1;
      child = this.#fork();
    }
  }
}

const FIRST_MS = 100;
const MOST_MS = 10_000;
/** A process that has listened for this long works well. Its end counts as the first failure. */
const STEADY_MS = 10_000;

/** Determines the delay before a process is started again. The delay doubles at each failure. */
export class BackOff {
  #failures = 0;

  /**
   * @param listenedMs how long the process listened before it ended; 0 if it never listened
   * @returns ms to wait
   */
  next(listenedMs: number): number {
    if (listenedMs >= STEADY_MS) this.#failures = 0;
    return Math.min(MOST_MS, FIRST_MS * 2 ** this.#failures++);
  }
}
