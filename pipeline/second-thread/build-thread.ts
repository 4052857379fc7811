import { Worker } from 'node:worker_threads';
import type { CountryCode } from '../../src/core/countries.js';
import type { Gender } from '../../src/core/genders.js';
import { programThread } from '../../src/core/program-thread.js';
import type { Correlations } from '../fit/joint/correlations.js';
import type { CountryTables } from '../population-tables.js';

/** Options of the second thread of a build. Its fit is the same, because it reads the same tables. */
export interface ThreadOptions {
  readonly rawDir: string;
  readonly without: readonly string[];
  /** The gender whose correlations and quantiles the thread computes. */
  readonly gender: Gender;
  /** Quantiles of the grid, in memory that both threads share. */
  readonly quantiles: Float32Array;
  readonly countries: readonly CountryCode[];
}

/** Messages of the second thread, in their order. When the tables arrive, the grid is complete. */
export type ThreadMessage =
  | { readonly correlations: Correlations; readonly tables?: undefined }
  | { readonly tables: CountryTables; readonly correlations?: undefined };

/**
 * The share of a build that runs beside the main thread: about half of the work. The fitted model consists
 * of functions and cannot be passed to a thread. So the thread fits the model itself.
 */
export class BuildThread {
  readonly correlations: Promise<Correlations>;
  readonly tables: Promise<CountryTables>;
  private readonly thread: Worker;

  constructor(options: ThreadOptions) {
    const { file, options: started } = programThread('./thread-child', import.meta.url);
    const thread = new Worker(file, { workerData: options, ...started });
    const received = <T>(pick: (message: ThreadMessage) => T | undefined): Promise<T> => {
      const found = new Promise<T>((resolve, reject) => {
        thread.on('message', (message: ThreadMessage) => {
          const value = pick(message);
          if (value !== undefined) resolve(value);
        });
        thread.once('error', reject);
        thread.once('exit', () => reject(new Error('The second thread of the build ended early.')));
      });
      // The main thread computes for a while before it asks for a result. A failure must wait until then.
      found.catch(() => undefined);
      return found;
    };
    this.correlations = received((message) => message.correlations);
    this.tables = received((message) => message.tables);
    this.thread = thread;
  }

  /** Ends the thread, also in the middle of its work. */
  async end(): Promise<void> {
    await this.thread.terminate();
  }
}
