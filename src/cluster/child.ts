import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { MetricsJson } from '../metrics/cluster-metrics.js';
import type { SwitchOutcome } from '../model-in-use.js';
import { BEAT_MS, type Order, type Report } from './messages.js';

/** Why a process could not start. */
export type StartFailure = Extract<Report, { kind: 'failed' }>;

/** How a process ended. */
export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process may be silent for this long while it starts, because it may be verifying its artifact. */
const START_SILENCE_MAX_MS = 120_000;

type Answer = Extract<Report, { ask: number }>;

/** One serving process, as the primary sees it. */
export class Child {
  readonly pid: number | undefined;
  /** Resolves to the address when the process listens, or to a failure if it cannot start. */
  readonly started: Promise<string | StartFailure>;
  /** Resolves when the process has ended; never rejects. */
  readonly ended: Promise<End>;
  readonly #worker: Worker;
  readonly #answers = new Map<number, (answer: Answer | undefined) => void>();
  #asked = 0;
  #silentBeats = 0;
  #listens = false;

  /** Forks a process of the program that `cluster.setupPrimary` has set. */
  constructor() {
    this.#worker = cluster.fork();
    this.pid = this.#worker.process.pid;
    this.ended = once(this.#worker, 'exit').then(([code, signal]) => {
      for (const answer of this.#answers.values()) answer(undefined);
      return { code, signal };
    });
    this.started = new Promise((resolve) => {
      this.#worker.on('message', (report: Report) => {
        this.#silentBeats = 0;
        if (report.kind === 'alive') return;
        if (report.kind === 'listening') {
          this.#listens = true;
          resolve(report.address);
        } else if (report.kind === 'failed') resolve(report);
        else this.#answers.get(report.ask)?.(report);
      });
      void this.ended.then(({ code, signal }) => {
        const message = `A process ended before it listened (${signal ?? `exit code ${code}`}).`;
        resolve({ kind: 'failed', code: 'process_ended', message, exitCode: 1 });
      });
    });
  }

  /** Makes it finish the requests in flight and end. */
  stop(): void {
    this.#order({ kind: 'stop' });
  }

  /** Ends it at once. */
  kill(): void {
    this.#worker.process.kill('SIGKILL');
  }

  /**
   * Ends the process if it has been silent for too long. Call this method every `BEAT_MS`. It counts calls instead of
   * time, so a suspension of the primary or of the whole machine does not count as silence.
   *
   * @param silenceMaxMs how long the process may be silent once it listens
   * @returns whether the process was ended
   */
  endIfSilent(silenceMaxMs: number): boolean {
    const maxMs = this.#listens ? silenceMaxMs : Math.max(silenceMaxMs, START_SILENCE_MAX_MS);
    this.#silentBeats += 1;
    if (this.#silentBeats * BEAT_MS <= maxMs) return false;
    this.#silentBeats = 0;
    this.kill();
    return true;
  }

  /** Makes it switch artifacts; undefined if it ends meanwhile. */
  async reload(): Promise<SwitchOutcome | undefined> {
    const answer = await this.#ask('reload');
    return answer?.kind === 'reloaded' ? answer.outcome : undefined;
  }

  /** The metrics of the process; undefined if it ends before it answers, or does not answer in time. */
  async metrics(timeoutMs: number): Promise<MetricsJson | undefined> {
    const answer = await this.#ask('metrics', timeoutMs);
    return answer?.kind === 'metrics' ? answer.metrics : undefined;
  }

  #order(order: Order): void {
    // Sending fails only if the process is ending, and `ended` reports that.
    if (this.#worker.isConnected()) this.#worker.send(order, () => undefined);
  }

  async #ask(kind: 'reload' | 'metrics', timeoutMs?: number): Promise<Answer | undefined> {
    if (!this.#worker.isConnected()) return undefined;
    const ask = ++this.#asked;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise((resolve) => {
        this.#answers.set(ask, resolve);
        if (timeoutMs !== undefined) timer = setTimeout(resolve, timeoutMs, undefined);
        this.#order({ kind, ask });
      });
    } finally {
      clearTimeout(timer);
      this.#answers.delete(ask);
    }
  }
}
