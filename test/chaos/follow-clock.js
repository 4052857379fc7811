import { readFileSync } from 'node:fs';

/** How often a process looks how far the clock is ahead. */
const POLL_MS = 20;

/** The clock of the run (`clock-file.ts`) as one of its processes has it. */
export function followClock(file) {
  // A file caught while it is being written reads as nothing: then the clock stays as it is.
  const read = (known) => Number(readFileSync(file, 'utf8') || known);
  let aheadMs = read(0);
  setInterval(() => {
    aheadMs = read(aheadMs);
  }, POLL_MS).unref();
  return () => Date.now() + aheadMs;
}
