import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATIONS as REAL } from '../../src/operations/index.js';
import type { Operation } from '../../src/operations/operation.js';
import { newFolder } from './folders.js';
import { pause } from './pause.js';
import { until } from './until.js';

// The service's own operations for the threads of a pool. A test can hold their computations: they wait while a folder,
// which the environment names, contains a file.

const FOLDER = 'HELD_OPERATIONS_FOLDER';

/** The module to give to a pool. */
export const HELD_OPERATIONS = import.meta.url;

/** The operations; the heavy ones wait before they compute. */
export const OPERATIONS: readonly Operation[] = REAL.map((operation) => {
  if (operation.computed !== true) return operation;
  const { file } = operation;
  return {
    ...operation,
    run(input, model) {
      waitIfHeld();
      return operation.run(input, model);
    },
    ...(file === undefined
      ? {}
      : {
          file: {
            ...file,
            make(input, model) {
              waitIfHeld();
              return file.make(input, model);
            },
          },
        }),
  };
});

function waitIfHeld(): void {
  const folder = process.env[FOLDER] ?? '';
  const hold = join(folder, 'hold');
  if (existsSync(hold)) writeFileSync(join(folder, 'begun'), '');
  while (existsSync(hold)) pause();
}

/** Holds the computations of processes that run with its environment. */
export class Hold {
  readonly #folder = newFolder('hold');
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
