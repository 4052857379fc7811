import { readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

interface Size {
  readonly atMs: number;
  readonly file: string;
  readonly bytes: number;
}

/**
 * Takes from a killed Redis what a power cut would: kill -9 leaves everything written with the
 * operating system, so its append-only file is cut back to what it was a second before, as if the
 * last flush (`appendfsync everysec`) had been then.
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

  /** Cuts the file of a Redis that does not run; returns how many bytes went. */
  cut(killedAtMs: number): number {
    const then = this.#sizes.filter(({ atMs }) => atMs <= killedAtMs - 1000).at(-1);
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
    this.#sizes.push({ atMs: Date.now(), file, bytes: statSync(file).size });
    if (this.#sizes.length > 100) this.#sizes.shift();
  }
}
