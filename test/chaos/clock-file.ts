import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The clock of all processes of a run. A file says how far this clock is ahead of the real one. */
export interface SharedClock {
  readonly file: string;
  /** How far this clock was ahead of the real one at a real time, ms. */
  aheadMs(realMs: number): number;
  advance(ms: number): void;
}

/** Creates a clock that starts at the real time. */
export function sharedClock(): SharedClock {
  const file = join(mkdtempSync(join(tmpdir(), 'vitruvia-clock-')), 'ahead-ms');
  const jumps: { readonly fromMs: number; readonly aheadMs: number }[] = [];
  const aheadMs = (realMs: number): number =>
    jumps.filter(({ fromMs }) => fromMs <= realMs).at(-1)?.aheadMs ?? 0;
  writeFileSync(file, '0');
  return {
    file,
    aheadMs,
    advance(ms) {
      const sum = aheadMs(Number.POSITIVE_INFINITY) + ms;
      writeFileSync(file, String(sum));
      jumps.push({ fromMs: Date.now(), aheadMs: sum });
    },
  };
}
