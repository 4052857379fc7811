import { readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

interface Size {
  readonly atMs: number;
  readonly file: string;
  readonly bytes: number;
}

/**
 * Removes from the file of a killed Redis what a power cut would have removed. After kill -9, the operating system
 * still has all written data. So the append-only file is cut back to its size of up to one second before, as if the
 * last flush (`appendfsync everysec`) had happened then. An older size is never used: if a process noted sizes too
 * late, an older size would remove data that Redis had flushed.
 */
export class PowerLoss {
  readonly #folder: string;
  readonly #sizes: Size[] = [];
  readonly #timer: NodeJS.Timeout;

  /** @param dir Redis' `dir` */
  constructor(dir: string) {
    this.#folder = join(dir, 'appendonlydir');
    this.#timer = setInterval(() => this.#note(), 100);
  }

  /** Cuts the file of a Redis that does not run. Returns the number of bytes removed. */
  cut(killedAtMs: number): number {
    const then = this.#sizes.find(({ atMs }) => atMs >= killedAtMs - 1000);
    if (then === undefined) return 0;
    const now = statSync(then.file, { throwIfNoEntry: false })?.size ?? 0;
    if (now <= then.bytes) return 0;
    truncateSync(then.file, then.bytes);
    return now - then.bytes;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #note(): void {
    const name = readdirSync(this.#folder)
      .filter((file) => file.endsWith('.incr.aof'))
      .sort()
      .at(-1);
    if (name === undefined) return;
    const file = join(this.#folder, name);
    // The time is read first. The size then includes all that was written before this time.
    const atMs = Date.now();
    this.#sizes.push({ atMs, file, bytes: statSync(file).size });
    if (this.#sizes.length > 100) this.#sizes.shift();
  }
}
