import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { HEAVY_REQUESTS } from './heavy-requests.js';
import type { Line } from './table.js';

/** Ceilings of issue 25, on any machine of the last years. */
const CEILING_SECONDS = 5;
const CEILING_MB = 150;
const WATCH_MS = 5;

/**
 * Processor time and memory of the largest requests, each in a process of its own that has answered
 * nothing before.
 */
export async function heavyLines(artifactsDir: string): Promise<Line[]> {
  const lines: Line[] = [];
  for (const [index, { name }] of HEAVY_REQUESTS.entries()) {
    const { seconds, peakMb } = await measure(artifactsDir, index);
    lines.push(
      { measure: name, value: seconds, unit: 's CPU', ceiling: CEILING_SECONDS },
      {
        measure: '  memory above that of the idle process',
        value: peakMb,
        unit: 'MB',
        ceiling: CEILING_MB,
      },
    );
  }
  return lines;
}

async function measure(artifactsDir: string, index: number) {
  const child = fork(fileURLToPath(new URL('./heavy-child.ts', import.meta.url)), [
    artifactsDir,
    `${index}`,
  ]);
  await once(child, 'message');
  const pid = child.pid as number;
  const idle = anonymousMb(pid);
  let peak = idle;
  const watch = setInterval(() => {
    peak = Math.max(peak, anonymousMb(pid));
  }, WATCH_MS);
  child.send('run');
  const [milliseconds] = (await once(child, 'message')) as [number];
  clearInterval(watch);
  if (child.exitCode === null) await once(child, 'exit');
  return { seconds: milliseconds / 1000, peakMb: peak - idle };
}

/** Memory of a process without the files that it maps, in MB; 0 if it has ended. */
function anonymousMb(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1000;
  } catch {
    return 0;
  }
}
