import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATIONS as REAL } from '../../src/operations/index.js';
import type { Operation } from '../../src/operations/operation.js';
import { until } from './until.js';

// The service's own operations for the threads of a pool. A test can hold their computations: they wait
// for as long as there is a file in a folder, which the environment names.

const FOLDER = 'HELD_OPERATIONS_FOLDER';

/** The module to give to a pool. */
export const HELD_OPERATIONS = import.meta.url;

/** The operations; the heavy ones wait before they compute. */
export const OPERATIONS: readonly Operation[] = REAL.map((operation) => {
  if (operation.heavy !== true) return operation;
  return {
    ...operation,
    run(input, model) {
      const folder = process.env[FOLDER] ?? '';
      const hold = join(folder, 'hold');
      if (existsSync(hold)) writeFileSync(join(folder, 'begun'), '');
      // A sleep, so that a held thread leaves the processor to the others.
      const nothing = new Int32Array(new SharedArrayBuffer(4));
      while (existsSync(hold)) Atomics.wait(nothing, 0, 0, 5);
      return operation.run(input, model);
    },
  };
});

/** Holds the computations of processes that were started with its environment. */
export class Hold {
  readonly #folder = mkdtempSync(join(tmpdir(), 'vitruvia-hold-'));
  /** For the process with the pool. */
  readonly env = { [FOLDER]: this.#folder };

  /** Holds every computation that begins from now on. */
  take(): void {
    rmSync(join(this.#folder, 'begun'), { force: true });
    writeFileSync(join(this.#folder, 'hold'), '');
  }

  /** Waits until a computation is held. */
  begun(): Promise<void> {
    return until(() => existsSync(join(this.#folder, 'begun')));
  }

  /** Lets the computations go on. */
  release(): void {
    rmSync(join(this.#folder, 'hold'), { force: true });
  }
}
