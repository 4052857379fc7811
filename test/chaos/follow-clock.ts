import { readFileSync } from 'node:fs';

/** How often a process reads how far the clock is ahead. */
const POLL_MS = 20;

/** Returns the clock of the run (`clock-file.ts`) for one of its processes. */
export function followClock(file: string): () => number {
  // The file is empty while it is being written. The clock does not change then.
  const read = (known: number) => Number(readFileSync(file, 'utf8') || known);
  let aheadMs = read(0);
  setInterval(() => {
    aheadMs = read(aheadMs);
  }, POLL_MS).unref();
  return () => Date.now() + aheadMs;
}
