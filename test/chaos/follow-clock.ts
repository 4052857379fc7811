import { readFileSync } from 'node:fs';

/** Time between two readings of the clock file. */
const POLL_MS = 20;

/** Returns the clock of the run (`clock-file.ts`) for one of its processes. */
export function followClock(file: string): () => number {
  // While the file is being written, it is empty. The clock does not change then.
  const read = (known: number) => Number(readFileSync(file, 'utf8') || known);
  let aheadMs = read(0);
  setInterval(() => {
    aheadMs = read(aheadMs);
  }, POLL_MS).unref();
  return () => Date.now() + aheadMs;
}
