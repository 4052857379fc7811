import { readFileSync } from 'node:fs';

/** Returns the clock of the run (`clock-file.ts`) for one of its processes. */
export function followClock(file: string): () => number {
  return () => Date.now() + Number(readFileSync(file, 'utf8'));
}
