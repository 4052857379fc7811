import { BODIES, median, type Plan, ratios } from './compare.js';
import type { Load } from './load.js';
import { measureMcp } from './mcp.js';
import { refusalLines } from './refusals.js';
import { startBare, startVitruvia } from './servers.js';
import { slowFsyncLibrary } from './slow-fsync.js';
import type { Line } from './table.js';

const SLOW_FSYNC_MS = 2;

/** Compares one process on the embedded database with the bare route. */
export async function httpLines(load: Load, plan: Plan): Promise<Line[]> {
  const lines: Line[] = [];
  const bare = await startBare();
  try {
    const own = await startVitruvia();
    try {
      const idle = own.residentBytes();
      const found = await ratios(load, bare, own, plan);
      const loaded = own.residentBytes();
      const pairs = await measureMcp(load, own, BODIES, plan);
      const refusals = await refusalLines(load, own, plan);
      lines.push(
        { measure: 'listening after process start', value: own.startMs, unit: 'ms', ceiling: 700 },
        { measure: 'bare Fastify route', value: found.bareRate, unit: '/s' },
        { measure: 'POST /v1/predict', value: found.ownRate, unit: '/s' },
        { measure: 'predict ÷ bare', value: found.rate, unit: '×', floor: 0.85 },
        { measure: 'p99 ÷ p99 of bare', value: found.p99, unit: '×', ceiling: 3 },
      );
      lines.push(
        {
          measure: 'p50 of POST /v1/predict',
          value: median(pairs.map(({ rest }) => rest)),
          unit: 'ms',
        },
        {
          measure: 'p50 of the tool predict',
          value: median(pairs.map(({ mcp }) => mcp)),
          unit: 'ms',
        },
        {
          measure: 'tool predict ÷ REST, p50',
          value: median(pairs.map(({ rest, mcp }) => mcp / rest)),
          unit: '×',
          ceiling: 2,
        },
      );
      lines.push(...refusals);
      if (idle !== undefined && loaded !== undefined) {
        lines.push({ measure: 'resident memory at start', value: idle / 1e6, unit: 'MB' });
        lines.push({ measure: 'resident memory under load', value: loaded / 1e6, unit: 'MB' });
      }
    } finally {
      await own.stop();
    }
    const library = slowFsyncLibrary(SLOW_FSYNC_MS);
    if (library === undefined) {
      process.stderr.write('no C compiler: the run with slow fsyncs is skipped\n');
      return lines;
    }
    const slow = await startVitruvia({ preload: library });
    try {
      const found = await ratios(load, bare, slow, plan);
      const measure = `predict ÷ bare, each fsync + ${SLOW_FSYNC_MS} ms`;
      lines.push({ measure, value: found.rate, unit: '×', floor: 0.7 });
    } finally {
      await slow.stop();
    }
    return lines;
  } finally {
    await bare.stop();
  }
}
